import type { Key, Range } from "@sessile/core/storage"

/** Prefixes of `treeKeys`: everything, an inner node, a deeper one, and one that has no record itself. */
export const treePrefixes: readonly Key[] = [[], ["a"], ["a", "b"], ["b"]]

/** Bounds for `treeKeys`: records and absent keys, prefixes themselves, and keys outside every prefix. */
export const treeBounds: readonly Key[] = [
  ["\u0001"],
  ["a"],
  ["a", "b"],
  ["a", "b", "c"],
  ["a", "b", "c", "d"],
  ["a", "bb"],
  ["a", "\uFFFF"],
  ["a", "\u{10FFFF}"],
  ["a!"],
  ["b"],
  ["b", "a"],
  ["zzz", "a"],
]

/** Ranges that `list` and the scans must take in the same way. */
export const treeRanges: readonly Range[] = [
  {},
  { reverse: true },
  { limit: 0 },
  { limit: 3 },
  { limit: 3, reverse: true },
  { gt: ["a", "b"], lt: ["a", "\uFFFF"] },
  { gte: ["a", "b"], lte: ["a", "\uFFFF"] },
  { gte: ["a", "b", "c", "d"], reverse: true, limit: 4 },
  { lt: ["b", "b"], reverse: true, limit: 2 },
  { gt: ["c"] },
]

/** Ranges that make no sense, with what is wrong about them. */
export const invalidRanges: readonly { readonly flaw: string; readonly range: Range }[] = [
  { flaw: "an unknown option", range: { limt: 1 } as Range },
  { flaw: "gt together with gte", range: { gt: ["a"], gte: ["a"] } },
  { flaw: "lt together with lte", range: { lt: ["a"], lte: ["a"] } },
  { flaw: "a negative limit", range: { limit: -1 } },
  { flaw: "a fractional limit", range: { limit: 1.5 } },
  { flaw: "a limit that is not a number", range: { limit: Number.NaN } },
]

/** What cannot be a key, and so no bound either. */
export const invalidBounds: readonly { readonly flaw: string; readonly bound: Key }[] = [
  { flaw: "no segment", bound: [] },
  { flaw: "an empty segment", bound: ["a", ""] },
  { flaw: "a NUL character", bound: ["a\0b"] },
  { flaw: "a lone surrogate", bound: ["a", "\uD800"] },
]
