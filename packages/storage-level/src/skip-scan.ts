import { compareUtf8 } from "@sessile/core/storage"
import { CHUNK_BYTES } from "./chunks.js"
import type { Database } from "./database.js"
import type { KeyRange } from "./layout.js"

/** How to go over ranges. */
export interface SkipScanOptions {
  readonly reverse: boolean
  /** How many entries are read at once, at most. */
  readonly size: number
}

/** How many entries are read at once where the ranges may be far apart. */
const FEW = 16

/**
 * The entries within any of the ranges, as they are at the first step, in pages of any size. The ranges must be
 * disjoint, and in the direction of travel. One iterator goes over all of them: it leaps to the next range only
 * where what it has read ahead does not reach it, so that neither close ranges nor distant ones cost much.
 */
export async function* skipScan(
  database: Database,
  ranges: readonly KeyRange[],
  { reverse, size }: SkipScanOptions,
): AsyncGenerator<[key: string, text: string][], void, void> {
  const [first, last] = [ranges[0], ranges.at(-1)]
  if (first === undefined || last === undefined) return
  const hull = reverse ? { gte: last.gte, lt: first.lt } : { gte: first.gte, lt: last.lt }
  const iterator = database.iterator({ ...hull, reverse, highWaterMarkBytes: CHUNK_BYTES })
  const [isAhead, isPassed] = reverse ? [isAbove, isBelow] : [isBelow, isAbove]
  const few = Math.min(FEW, size)
  const remaining = ranges.values()
  let range = remaining.next().value as KeyRange
  let ahead = few
  try {
    for (;;) {
      // Behind the last range the iterator ends, so that there nothing is read in vain.
      const entries = await iterator.nextv(range === last ? size : ahead)
      const end = entries.at(-1)?.[0]
      if (end === undefined) return
      const page: [string, string][] = []
      for (const entry of entries) {
        while (isPassed(entry[0], range)) range = remaining.next().value as KeyRange
        if (!isAhead(entry[0], range)) page.push(entry)
      }
      yield page
      ahead = page.length * 2 < entries.length ? few : Math.min(ahead * 2, size)
      const start = reverse ? range.lt : range.gte
      // In reverse, a leap to where the iterator stands would bring the same entry again.
      if (isAhead(end, range) && end !== start) iterator.seek(start)
    }
  } finally {
    await iterator.close()
  }
}

function isBelow(key: string, range: KeyRange): boolean {
  return compareUtf8(key, range.gte) < 0
}

function isAbove(key: string, range: KeyRange): boolean {
  return compareUtf8(key, range.lt) >= 0
}
