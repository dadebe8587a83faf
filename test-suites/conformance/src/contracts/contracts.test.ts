import { MemoryStorage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
import type { Harness } from "../harness.js"
import { declaredCapabilities, runContract } from "../run-conformance.js"
import { contractGroups } from "./index.js"

const harnesses: Harness[] = [
  { name: "memory", module: "none", create: async () => new MemoryStorage() },
  {
    name: "json",
    module: "none",
    create: ({ folder }) => JsonStorage.open({ path: folder }),
    reopen: ({ folder }, { readonly }) => JsonStorage.open({ path: folder, readonly }),
  },
]

describe.each(harnesses)("$name", (harness) => {
  test.each(contractGroups.flatMap((group) => group.contracts))("$id", async (contract) => {
    const result = await runContract(harness, contract, await declaredCapabilities(harness), 1)
    expect(result).not.toMatchObject({ status: "failed" })
  })
})
