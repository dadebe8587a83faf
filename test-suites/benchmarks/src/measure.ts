/** Two ways of doing the same work, and how much slower the first may be. */
export interface Comparison {
  readonly name: string
  readonly baseline: string
  readonly limit: number
  readonly subject: () => Promise<unknown>
  readonly reference: () => Promise<unknown>
}

/** What a comparison came to; times are medians in milliseconds. */
export interface Measurement {
  readonly name: string
  readonly baseline: string
  readonly subject: number
  readonly reference: number
  readonly ratio: number
  readonly limit: number
}

const ROUNDS = 9

/**
 * Runs both sides in turn, so that whatever else the machine does meets both alike, and takes the median of
 * the ratios of the rounds.
 */
export async function compare({
  name,
  baseline,
  limit,
  subject,
  reference,
}: Comparison): Promise<Measurement> {
  await subject()
  await reference()
  const rounds: { readonly subject: number; readonly reference: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    rounds.push({ subject: await timed(subject), reference: await timed(reference) })
  }
  return {
    name,
    baseline,
    limit,
    subject: median(rounds.map((round) => round.subject)),
    reference: median(rounds.map((round) => round.reference)),
    ratio: median(rounds.map((round) => round.subject / round.reference)),
  }
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}
