import { compareUtf8, encodeKey, type Key, validateKey, validatePrefix } from "./key.js"
import { checkOptions } from "./options.js"
import type { Shelf } from "./shelf.js"
import { StorageError } from "./storage-error.js"
import type { ForeignFile, Share } from "./text-storage.js"

/** Narrows what `list` and `scan` give. Bounds are whole keys, in the order of `compareKeys`. */
export interface Range {
  readonly gt?: Key | undefined
  readonly gte?: Key | undefined
  readonly lt?: Key | undefined
  readonly lte?: Key | undefined
  /** At most this many records, counted from the end where the iteration starts. */
  readonly limit?: number | undefined
  /** From the last key to the first. */
  readonly reverse?: boolean | undefined
}

/** A run of encoded keys, from `gte` up to, not including, `lt`; without `lt` it has no end. */
export interface Span {
  readonly gte: string
  readonly lt: string | undefined
}

/** What an adapter is asked for: disjoint, non-empty spans, in the direction of travel. */
export interface Selection {
  readonly spans: readonly Span[]
  readonly reverse: boolean
  readonly limit: number
  /** Whether one moment must be shown, whatever is written meanwhile. */
  readonly snapshot: boolean
  /** The share of the records that is wanted; an adapter may give more. */
  readonly share?: Share | undefined
  /** Only what was changed at this time or later; an adapter that cannot tell gives all. */
  readonly changedSince?: number | undefined
  /** Tells of prefixes below which nothing is wanted; an adapter may give what is there all the same. */
  readonly skips?: ((prefix: string) => boolean) | undefined
  /** Told of what is no record, at least once each, by an adapter whose medium holds such things. */
  readonly onForeign?: ((file: ForeignFile) => void) | undefined
  /** Where an adapter may put what it reads. */
  readonly shelf?: Shelf | undefined
}

/** What a scan of keys alone can heed. */
export type Wish = Pick<Selection, "share" | "skips" | "onForeign">

/** The options of a {@link Range}, for `checkOptions`. */
export const rangeShape = {
  gt: "key?",
  gte: "key?",
  lt: "key?",
  lte: "key?",
  limit: "count?",
  reverse: "boolean?",
} as const

/**
 * Turns prefixes and a range into spans of encoded keys. Overlapping prefixes are merged, so that no record
 * comes twice; the bounds are exact for every Unicode key.
 *
 * @throws StorageError `INVALID_KEY` or `INVALID_ARGUMENT`
 */
export function select(prefixes: readonly Key[], range: Range, snapshot = false): Selection {
  checkOptions("range", range, rangeShape)
  for (const prefix of prefixes) validatePrefix(prefix)
  for (const bound of [range.gt, range.gte, range.lt, range.lte]) if (bound !== undefined) validateKey(bound)
  if (range.gt && range.gte) throw ambiguous("gt", "gte")
  if (range.lt && range.lte) throw ambiguous("lt", "lte")

  const bounds = boundsOf(range)
  const spans = outermost(prefixes.map(spanBelow))
    .map((span) => intersect(span, bounds))
    .filter(isNotEmpty)
  const reverse = range.reverse ?? false
  const limit = range.limit ?? Number.POSITIVE_INFINITY
  return { spans: reverse ? spans.reverse() : spans, reverse, limit, snapshot }
}

/** Whether an encoded key lies within a span. */
export function isWithin(span: Span, encodedKey: string): boolean {
  if (compareUtf8(encodedKey, span.gte) < 0) return false
  return span.lt === undefined || compareUtf8(encodedKey, span.lt) < 0
}

function spanBelow(prefix: Key): Span {
  if (prefix.length === 0) return { gte: "", lt: undefined }
  const encoded = encodeKey(prefix)
  return { gte: `${encoded}\x00`, lt: `${encoded}\x01` }
}

function boundsOf(range: Range): Span {
  // Nothing lies between an encoded key and that key with a NUL behind it.
  const after = (key: Key) => `${encodeKey(key)}\x00`
  const gte = range.gte ? encodeKey(range.gte) : range.gt ? after(range.gt) : ""
  const lt = range.lt ? encodeKey(range.lt) : range.lte ? after(range.lte) : undefined
  return { gte, lt }
}

// Two prefixes are either disjoint or one contains the other, so sorting brings the containing one first.
function outermost(spans: readonly Span[]): Span[] {
  const sorted = spans.toSorted((a, b) => compareUtf8(a.gte, b.gte))
  const kept: Span[] = []
  for (const span of sorted) {
    const last = kept.at(-1)
    if (last === undefined || !isWithin(last, span.gte)) kept.push(span)
  }
  return kept
}

function intersect(a: Span, b: Span): Span {
  return {
    gte: compareUtf8(a.gte, b.gte) >= 0 ? a.gte : b.gte,
    lt: compareEnds(a.lt, b.lt) <= 0 ? a.lt : b.lt,
  }
}

function isNotEmpty(span: Span): boolean {
  return span.lt === undefined || compareUtf8(span.gte, span.lt) < 0
}

function compareEnds(a: string | undefined, b: string | undefined): number {
  if (a === undefined) return b === undefined ? 0 : 1
  return b === undefined ? -1 : compareUtf8(a, b)
}

function ambiguous(first: string, second: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", `A range takes ${first} or ${second}, not both`)
}
