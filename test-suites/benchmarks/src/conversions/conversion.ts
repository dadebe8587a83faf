import { median, ratio } from "../measure.js"
import type { ProcessFigures } from "../measure-process.js"
import { reading } from "./reading.js"

/** What the sides took for one store, by their names and round by round. */
export interface Conversion {
  readonly files: number
  readonly bytes: number
  readonly runs: Readonly<Record<string, readonly ProcessFigures[]>>
}

/** What a side took for a store, in the median of the rounds. */
export interface SideFigures {
  readonly milliseconds: number
  readonly rounds: number
  readonly overReading: number
  /** Unknown where the system does not tell. */
  readonly peakMegabytes: number | undefined
}

/** The figures of a side, or `undefined` when it did not take part. */
export function figuresOf(conversion: Conversion, side: string): SideFigures | undefined {
  const runs = conversion.runs[side]
  if (runs === undefined) return undefined
  const peaks = runs.flatMap(({ peakBytes }) => (peakBytes === undefined ? [] : [peakBytes / 1e6]))
  return {
    milliseconds: median(runs.map(({ milliseconds }) => milliseconds)),
    rounds: runs.length,
    overReading: timesOver(conversion, side, reading.name) as number,
    peakMegabytes: peaks.length === 0 ? undefined : median(peaks),
  }
}

/** How many times as long one side took as another, if both took part. */
export function timesOver({ runs }: Conversion, subject: string, reference: string): number | undefined {
  const times = runs[subject]?.map(({ milliseconds }) => milliseconds)
  const referenceTimes = runs[reference]?.map(({ milliseconds }) => milliseconds)
  return times && referenceTimes && ratio(times, referenceTimes)
}
