import { Bench } from "./bench.js"
import { isAcceptable, type Outcome, outcomes } from "./judge.js"
import { type Mutation, mutationOf } from "./mutation.js"
import type { Subject } from "./subject.js"

/** How to run the lab. */
export interface LabOptions {
  readonly mutations: number
  /** Repeats the mutations of an earlier run. */
  readonly seed: number
  /** The number of the first mutation, 0 by default, to repeat some alone. */
  readonly first?: number | undefined
  /** The program `sessile` as a JavaScript file: `sessile convert` reads the stores instead of the library. */
  readonly program?: string | undefined
  /** How many milliseconds one reading may take; a minute by default. */
  readonly timeLimit?: number | undefined
  readonly onResult?: ((result: LabResult) => void) | undefined
}

/** What one mutation led to. */
export interface LabResult {
  readonly number: number
  readonly mutation: Mutation
  readonly outcome: Outcome
  readonly detail: string
}

/** What all mutations led to. */
export interface LabReport {
  readonly subject: string
  readonly seed: number
  readonly counts: Readonly<Record<Outcome, number>>
  /** The mutations whose outcome is not acceptable. */
  readonly failures: readonly LabResult[]
}

/**
 * Damages copies of a store, one mutation each, reads them, and judges what came of it.
 *
 * @example
 * ```ts
 * const { counts, failures } = await runLab(subject, { mutations: 1000, seed: 1 })
 * ```
 */
export async function runLab(subject: Subject, options: LabOptions): Promise<LabReport> {
  const { seed, mutations, first = 0, program, timeLimit = 60_000 } = options
  await using bench = await Bench.open(subject, { program, timeLimit })
  const counts = Object.fromEntries(outcomes.map((outcome) => [outcome, 0])) as Record<Outcome, number>
  const failures: LabResult[] = []
  for (let number = first; number < first + mutations; number++) {
    const mutation = mutationOf(seed, number, bench.files)
    const result = { number, mutation, ...(await bench.try(mutation)) }
    counts[result.outcome]++
    if (!isAcceptable(result.outcome)) failures.push(result)
    options.onResult?.(result)
  }
  return { subject: subject.name, seed, counts, failures }
}
