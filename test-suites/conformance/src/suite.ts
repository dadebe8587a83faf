import { randomInt } from "node:crypto"
import { contractGroups } from "./contracts/index.js"
import type { Harness } from "./harness.js"
import type { ContractResult } from "./report.js"
import { declaredCapabilities, runContract } from "./run-conformance.js"

/** How a test runner runs the suite. */
export interface SuiteOptions {
  /** Where random experiments start; a fresh one each time by default. The titles tell it. */
  readonly seed?: number | undefined
}

/** The suite for one backend, as a test runner declares it. */
export async function suiteOf(
  harness: Harness,
  { seed = randomInt(2 ** 31) }: SuiteOptions,
): Promise<{ name: string; contracts: { title: string; run: () => Promise<ContractResult> }[] }[]> {
  const capabilities = await declaredCapabilities(harness)
  return contractGroups.map((group) => ({
    name: `${harness.name}, seed ${seed}: ${group.name}`,
    contracts: group.contracts.map((contract) => ({
      title: `${contract.title} (${contract.id})`,
      run: () => runContract(harness, contract, capabilities, seed),
    })),
  }))
}
