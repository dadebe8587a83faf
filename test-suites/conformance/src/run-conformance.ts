import { randomInt } from "node:crypto"
import type { Capabilities } from "@sessile/core/storage"
import { ContractFailure } from "./assertions.js"
import { type Contract, type ContractGroup, ContractSkip } from "./contract.js"
import { contractGroups } from "./contracts/index.js"
import type { Harness } from "./harness.js"
import { openLab } from "./open-lab.js"
import type { ConformanceReport, ContractResult, GroupResult } from "./report.js"
import { show } from "./show.js"

/** What to run, and how. */
export interface ConformanceOptions {
  /** Only contracts whose id starts with one of these, such as `batch/` or `update/not-found`. */
  readonly only?: readonly string[] | undefined
  /** Where random experiments start; a fresh one each time by default. */
  readonly seed?: number | undefined
  /** Hears of each contract as it is done. */
  readonly onResult?: ((result: ContractResult) => void) | undefined
}

const TIME_LIMIT = 60_000

/**
 * Tells what a backend guarantees: every contract gets a fresh store, and what the store declares in its
 * capabilities decides which contracts apply.
 *
 * @example
 * ```ts
 * const report = await runConformance(harness)
 * if (!report.conforms) console.log(formatReport(report))
 * ```
 */
export async function runConformance(
  harness: Harness,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const seed = options.seed ?? randomInt(2 ** 31)
  const capabilities = await declaredCapabilities(harness)
  const groups: GroupResult[] = []
  for (const group of chosen(contractGroups, options.only)) {
    const contracts: ContractResult[] = []
    for (const contract of group.contracts) {
      const result = await runContract(harness, contract, capabilities, seed)
      options.onResult?.(result)
      contracts.push(result)
    }
    groups.push({ name: group.name, required: group.required, contracts })
  }
  return summarise(harness, capabilities, seed, groups)
}

/** Runs one contract on a fresh store, unless the store does not declare what it is about. */
export async function runContract(
  harness: Harness,
  contract: Contract,
  capabilities: Capabilities,
  seed: number,
): Promise<ContractResult> {
  const { id, title } = contract
  const reason = unmetNeed(contract, capabilities) ?? (await contract.obstacle?.())
  if (reason !== undefined) return { id, title, status: "skipped", reason }
  const start = performance.now()
  const elapsed = () => Math.round(performance.now() - start)
  try {
    await withinTimeLimit(async () => {
      await using lab = await openLab(harness, seed)
      await contract.check(lab)
    })
    return { id, title, status: "passed", milliseconds: elapsed() }
  } catch (thrown) {
    const error = isSuppressed(thrown) ? thrown.suppressed : thrown
    if (error instanceof ContractSkip) return { id, title, status: "skipped", reason: error.message }
    const failure = { id, title, status: "failed", milliseconds: elapsed() } as const
    if (error instanceof ContractFailure)
      return { ...failure, message: error.message, finding: error.finding }
    return {
      ...failure,
      message: `The experiment was cut short by an unexpected error\nactual:   ${show(error)}`,
    }
  }
}

// When clearing the lab away fails too, the contract's own failure is the one that tells what is wrong.
function isSuppressed(error: unknown): error is { readonly suppressed: unknown } {
  return error instanceof Error && error.name === "SuppressedError"
}

/** What a new store of the harness declares. */
export async function declaredCapabilities(harness: Harness): Promise<Capabilities> {
  await using lab = await openLab(harness, 0)
  return { ...lab.storage.capabilities }
}

function chosen(groups: readonly ContractGroup[], only: readonly string[] | undefined): ContractGroup[] {
  const isChosen = ({ id }: Contract) => only === undefined || only.some((start) => id.startsWith(start))
  return groups
    .map((group) => ({ ...group, contracts: group.contracts.filter(isChosen) }))
    .filter((group) => group.contracts.length > 0)
}

function unmetNeed({ needs = {} }: Contract, capabilities: Capabilities): string | undefined {
  for (const [name, needed] of Object.entries(needs)) {
    if (capabilities[name as keyof Capabilities] === needed) continue
    return needed ? `the store does not declare ${name}` : `the store declares ${name}`
  }
  return undefined
}

async function withinTimeLimit(experiment: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const limit = new Promise<never>((_, reject) => {
    const failure = new ContractFailure({
      problem: `Nothing had come of it after ${TIME_LIMIT / 1000} seconds`,
    })
    timer = setTimeout(() => reject(failure), TIME_LIMIT)
  })
  try {
    await Promise.race([experiment(), limit])
  } finally {
    clearTimeout(timer)
  }
}

function summarise(
  harness: Harness,
  capabilities: Capabilities,
  seed: number,
  groups: readonly GroupResult[],
): ConformanceReport {
  const results = groups.flatMap((group) => group.contracts)
  const count = (status: ContractResult["status"]) =>
    results.filter((result) => result.status === status).length
  const [passed, failed, skipped] = [count("passed"), count("failed"), count("skipped")]
  const objections = objectionsTo(groups, passed + failed)
  return {
    schemaVersion: 1,
    harness: harness.name,
    capabilities,
    seed,
    groups,
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
