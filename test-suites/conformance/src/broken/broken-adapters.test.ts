import { describe, expect, test } from "vitest"
import { contractGroups } from "../contracts/index.js"
import { declaredCapabilities, runContract } from "../run-conformance.js"
import { brokenAdapters } from "./broken-adapters.js"
import { brokenHarness } from "./broken-harness.js"

const contracts = contractGroups.flatMap((group) => group.contracts)

test("every contract is broken by at least one adapter", () => {
  const caught = new Set(brokenAdapters.flatMap((adapter) => adapter.caughtBy))
  expect(contracts.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([])
})

test("no two contracts share an id, and no two broken adapters a name", () => {
  for (const names of [contracts.map(({ id }) => id), brokenAdapters.map(({ name }) => name)]) {
    expect(names).toEqual([...new Set(names)])
  }
})

describe.each(brokenAdapters)("the adapter where $name", (adapter) => {
  test.each(adapter.caughtBy)("is caught by %s", async (id) => {
    const contract = contracts.find((candidate) => candidate.id === id)
    if (contract === undefined) throw new Error(`There is no contract ${id}`)
    const harness = brokenHarness(adapter)
    const result = await runContract(harness, contract, await declaredCapabilities(harness), 1)
    expect(result).toMatchObject({ status: "failed", message: expect.stringMatching(/\S/) })
  })
})
