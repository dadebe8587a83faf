import { describe, expect, test } from "vitest"
import { contractGroups } from "../contracts/index.js"
import { formatReport } from "../format-report.js"
import { declaredCapabilities, runConformance, runContract } from "../run-conformance.js"
import { brokenAdapters } from "./broken-adapters.js"
import { brokenHarness } from "./broken-harness.js"
import { networkHarness } from "./network/network-harness.js"
import { networkMutants } from "./network/network-mutants.js"

const broken = [
  ...brokenAdapters.map((adapter) => ({ ...adapter, harness: brokenHarness(adapter) })),
  ...networkMutants.map((mutant) => ({ ...mutant, harness: networkHarness(mutant) })),
]

const contracts = contractGroups.flatMap((group) => group.contracts)

test("every contract is broken by at least one adapter", () => {
  const caught = new Set(broken.flatMap((adapter) => adapter.caughtBy))
  expect(contracts.map(({ id }) => id).filter((id) => !caught.has(id))).toEqual([])
})

test("the networked adapter conforms where it is not broken, and has 38 mutants", async () => {
  const report = await runConformance(networkHarness())
  expect(report.conforms, formatReport(report)).toBe(true)
  expect(networkMutants.length).toBe(38)
})

test("no two contracts share an id, and no two broken adapters a name", () => {
  for (const names of [contracts.map(({ id }) => id), broken.map(({ name }) => name)]) {
    expect(names).toEqual([...new Set(names)])
  }
})

describe.each(broken)("the adapter where $name", ({ caughtBy, harness }) => {
  test.each(caughtBy)("is caught by %s", async (id) => {
    const contract = contracts.find((candidate) => candidate.id === id)
    if (contract === undefined) throw new Error(`There is no contract ${id}`)
    const result = await runContract(harness, contract, await declaredCapabilities(harness), 1)
    expect(result).toMatchObject({ status: "failed", message: expect.stringMatching(/\S/) })
  })
})
