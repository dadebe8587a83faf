import type { Key } from "@sessile/core/storage"

/**
 * Segments in the order of their UTF-8 bytes, which is neither that of a language nor that of UTF-16. No two
 * differ in letter case alone, which some file systems cannot tell apart.
 */
// biome-ignore format: one line for each kind of character
export const orderedSegments: readonly string[] = [
  "\u0001", " ", "!", "%", "-",
  "0", "1", "10", "2", "9",
  "B", "Y", "_", "a", "a!", "aa", "ab", "c", "z", "zz", "~",
  "\u007F", "\u0080", "ß", "ÿ", "Ā", "Ω", "я", "א", "あ", "中", "가",
  "\uD7FF", "\uE000", "ﬀ", "\uFFFD", "\uFFFF",
  "\u{10000}", "\u{1F600}", "\u{10FFFF}",
]

/** Keys in order, whose order changes when their segments are joined by a slash, a dot or U+0001. */
export const orderedKeys: readonly Key[] = [
  ["a"],
  ["a", "\u0001"],
  ["a", "b"],
  ["a", "b", "c"],
  ["a", "b!"],
  ["a", "z"],
  ["a", "\u{10FFFF}"],
  ["a\u0001"],
  ["a\u0001", "b"],
  ["a!"],
  ["a-b"],
  ["a0"],
  ["b"],
  ["ÿ", "z"],
  ["\uFFFF", "a"],
  ["\u{1F600}", "a"],
]

/** The keys below `["edge"]`, in order; naive bounds miss some of them. */
export const boundaryKeys: readonly Key[] = [
  ["edge", "\u0001"],
  ["edge", "\u0001", "\u0001"],
  ["edge", "z"],
  ["edge", "~"],
  ["edge", "ÿ"],
  ["edge", "\uFFFF"],
  ["edge", "\u{10FFFF}"],
  ["edge", "\u{10FFFF}", "\u{10FFFF}"],
]

/** Keys around those of `boundaryKeys`; naive bounds take some of them in. */
export const boundaryNeighbours: readonly Key[] = [
  ["edg", "\u{10FFFF}"],
  ["edge"],
  ["edge\u0001"],
  ["edge\u0001", "z"],
  ["edge!"],
  ["edge\u{10FFFF}"],
  ["edgf"],
]

/** A small tree in key order, with records at inner nodes, at leaves and at several depths. */
export const treeKeys: readonly Key[] = [
  ["\u0001"],
  ["a"],
  ["a", "b"],
  ["a", "b", "c"],
  ["a", "b", "c", "d", "e"],
  ["a", "b", "ÿ"],
  ["a", "b!"],
  ["a", "c"],
  ["a", "d", "e"],
  ["a", "\uFFFF"],
  ["a", "\u{1F600}"],
  ["a!", "b"],
  ["ab"],
  ["ab", "c"],
  ["b", "a"],
  ["b", "b"],
  ["c"],
]
