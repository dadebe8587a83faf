import type { Capabilities } from "@sessile/core/storage"
import type { Contract, ContractGroup } from "./contract.js"
import { contractGroups } from "./contracts/index.js"
import type { ConformanceReport, ContractResult, GroupResult } from "./report.js"

/** What is known of a run before its first contract. */
export interface RunStart {
  readonly harness: string
  readonly capabilities: Capabilities
  readonly seed: number
  /** How many contracts it has. */
  readonly total: number
}

/** The contracts whose ids start with one of these, by group; all by default. */
export function chosenGroups(only: readonly string[] | undefined): ContractGroup[] {
  const isChosen = ({ id }: Contract) => only === undefined || only.some((start) => id.startsWith(start))
  return contractGroups
    .map((group) => ({ ...group, contracts: group.contracts.filter(isChosen) }))
    .filter((group) => group.contracts.length > 0)
}

/**
 * The report of a run. Contracts without a result count as skipped: the run ended before them, and `ending` says why.
 */
export function summarize(
  { harness, capabilities, seed }: RunStart,
  groups: readonly ContractGroup[],
  results: readonly ContractResult[],
  ending?: string,
): ConformanceReport {
  const byId = new Map(results.map((result) => [result.id, result]))
  const resultOf = ({ id, title }: Contract): ContractResult =>
    byId.get(id) ?? { id, title, status: "skipped", reason: "the run ended before it" }
  const all = groups.map(({ name, required, contracts }) => ({
    name,
    required,
    contracts: contracts.map(resultOf),
  }))
  const count = (status: ContractResult["status"]) =>
    all.flatMap(({ contracts }) => contracts).filter((result) => result.status === status).length
  const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped")]
  const objections = [...(ending === undefined ? [] : [ending]), ...objectionsTo(all, passed + failed)]
  return {
    schemaVersion: 1,
    harness,
    capabilities,
    seed,
    groups: all,
    passed,
    failed,
    skipped,
    objections,
    conforms: failed === 0 && objections.length === 0,
  }
}

function objectionsTo(groups: readonly GroupResult[], ran: number): string[] {
  if (ran === 0) return ["No contract was run"]
  return groups
    .filter(({ required, contracts }) => required && contracts.every(({ status }) => status === "skipped"))
    .map(({ name }) => `Every contract of the required group "${name}" was skipped`)
}
