import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** What one store has to do for one row of the table. */
export interface Entrant {
  readonly row: string
  readonly store: string
  readonly work: () => Promise<unknown>
}

/** The milliseconds that each store took for the same work, round by round. */
export interface Row {
  readonly name: string
  readonly times: Readonly<Record<string, readonly number[]>>
}

const MOST_ROUNDS = 10
const FEWEST_ROUNDS = 3

/** A store that has worked for longer than this sits out the remaining rounds. */
const ENOUGH = 3_000

/** Shorter work is repeated, so that the clock's grain and a single interruption do not count. */
const SHORTEST = 20

/**
 * Lets all entrants work in turn, round after round, so that whatever else the machine does meets all of them
 * alike. The first round warms up, and counts only for stores that are too slow for more than the fewest.
 */
export async function race(entrants: readonly Entrant[]): Promise<Row[]> {
  const rows = new Map<string, Record<string, number[]>>()
  const contestants = entrants.map(({ row, store, work }) => {
    const times: number[] = []
    rows.set(row, { ...rows.get(row), [store]: times })
    return { work, times, spent: 0 }
  })
  for (let round = 0; round < MOST_ROUNDS; round++) {
    for (const contestant of contestants) {
      if (round >= FEWEST_ROUNDS && contestant.spent > ENOUGH) continue
      const start = performance.now()
      contestant.times.push(await timed(contestant.work))
      contestant.spent += performance.now() - start
    }
  }
  return [...rows].map(([name, times]) => ({ name, times }))
}

/** How many times as long the first took, in the median of the rounds that both took part in. */
export function ratio(subject: readonly number[], reference: readonly number[]): number {
  const rounds = Math.min(subject.length, reference.length)
  return typical(
    subject.slice(0, rounds).map((milliseconds, round) => milliseconds / (reference[round] as number)),
  )
}

/** The median of the rounds that count. */
export function typical(rounds: readonly number[]): number {
  return median(rounds.length > FEWEST_ROUNDS ? rounds.slice(1) : rounds)
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

setFlagsFromString("--expose-gc")
const collectGarbage = runInNewContext("gc") as () => void

async function timed(work: () => Promise<unknown>): Promise<number> {
  // What one store leaves behind must not be cleared away in the time of the next.
  collectGarbage()
  const start = performance.now()
  let repetitions = 0
  let elapsed = 0
  while (elapsed < SHORTEST) {
    await work()
    repetitions++
    elapsed = performance.now() - start
  }
  return elapsed / repetitions
}
