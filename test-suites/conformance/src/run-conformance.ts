import { randomInt } from "node:crypto"
import type { Capabilities } from "@sessile/core/storage"
import { ContractFailure } from "./assertions.js"
import { type Contract, ContractSkip } from "./contract.js"
import type { Harness } from "./harness.js"
import { openLab } from "./open-lab.js"
import type { ConformanceReport, ContractResult } from "./report.js"
import { show } from "./show.js"
import { chosenGroups, type RunStart, summarize } from "./summary.js"
import { DEFAULT_TIME_LIMIT, TimeLimitError, withinTimeLimit } from "./time-limit.js"

/** What to run, and how. */
export interface ConformanceOptions {
  /** Only contracts whose id starts with one of these, such as `batch/` or `update/not-found`. */
  readonly only?: readonly string[] | undefined
  /** Where random experiments start; a fresh one each time by default. */
  readonly seed?: number | undefined
  /**
   * How long one contract may take, in milliseconds; 60,000 by default. When three contracts took longer the run ends.
   */
  readonly timeLimit?: number | undefined
  /** Called before the first contract. */
  readonly onStart?: ((start: RunStart) => void) | undefined
  /** Called as each contract begins. */
  readonly onContract?: ((contract: Contract) => void) | undefined
  /** Hears of each contract as it is done. */
  readonly onResult?: ((result: ContractResult) => void) | undefined
}

// A store that hangs does so in most contracts, and waiting for each of them would take hours.
const MOST_TIMED_OUT = 3

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
  const { only, seed = randomInt(2 ** 31), timeLimit = DEFAULT_TIME_LIMIT } = options
  const capabilities = await withinTimeLimit(timeLimit, "The harness opened and closed no store", () =>
    declaredCapabilities(harness),
  )
  const groups = chosenGroups(only)
  const contracts = groups.flatMap((group) => group.contracts)
  const start = { harness: harness.name, capabilities, seed, total: contracts.length }
  options.onStart?.(start)
  const results: ContractResult[] = []
  let timedOut = 0
  for (const contract of contracts) {
    options.onContract?.(contract)
    const result = await runContract(harness, contract, capabilities, seed, timeLimit)
    options.onResult?.(result)
    results.push(result)
    if (result.status === "failed" && result.timedOut && ++timedOut === MOST_TIMED_OUT) break
  }
  const ending = `The run ended early: ${timedOut} contracts took longer than ${timeLimit / 1000} seconds`
  return summarize(start, groups, results, timedOut === MOST_TIMED_OUT ? ending : undefined)
}

/** Runs one contract on a fresh store, unless the store does not declare what it is about. */
export async function runContract(
  harness: Harness,
  contract: Contract,
  capabilities: Capabilities,
  seed: number,
  timeLimit = DEFAULT_TIME_LIMIT,
): Promise<ContractResult> {
  const { id, title } = contract
  const reason = unmetNeed(contract, capabilities) ?? (await contract.obstacle?.())
  if (reason !== undefined) return { id, title, status: "skipped", reason }
  const start = performance.now()
  const elapsed = () => Math.round(performance.now() - start)
  const abandonment = new AbortController()
  try {
    await withinTimeLimit(timeLimit, "Nothing came of it", async () => {
      await using lab = await openLab(harness, seed, abandonment.signal)
      await contract.check(lab)
    })
    return { id, title, status: "passed", milliseconds: elapsed() }
  } catch (thrown) {
    const error = isSuppressed(thrown) ? thrown.suppressed : thrown
    if (error instanceof ContractSkip) return { id, title, status: "skipped", reason: error.message }
    const failure = { id, title, status: "failed", milliseconds: elapsed() } as const
    if (error instanceof TimeLimitError) {
      abandonment.abort()
      return { ...failure, message: error.message, finding: { problem: error.message }, timedOut: true }
    }
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

function unmetNeed({ needs = {} }: Contract, capabilities: Capabilities): string | undefined {
  for (const [name, needed] of Object.entries(needs)) {
    if (capabilities[name as keyof Capabilities] === needed) continue
    return needed ? `the store does not declare ${name}` : `the store declares ${name}`
  }
  return undefined
}
