import type { Key } from "@sessile/core/storage"

/** What can name no record, by what is wrong with it. */
export const invalidKeys: readonly {
  readonly id: string
  readonly what: string
  readonly keys: readonly unknown[]
}[] = [
  {
    id: "empty-segment-refused",
    what: "an empty segment",
    keys: [[""], ["a", ""], ["", "a"], ["a", "", "b"]],
  },
  { id: "nul-refused", what: "a NUL character", keys: [["\0"], ["a\0b"], ["a", "b\0"]] },
  {
    id: "lone-surrogate-refused",
    what: "a lone surrogate",
    keys: [["\ud800"], ["a\udc00"], ["a", "\udc00\ud800"], ["\ud83d", "\ude00"]],
  },
  {
    id: "non-string-refused",
    what: "a segment that is no string",
    keys: [[1], [null], [undefined], [true], ["a", ["b"]], ["a", {}], [Object("a")], new Array(1)],
  },
  {
    id: "non-array-refused",
    what: "a key that is no array",
    keys: ["a", undefined, null, 1, { 0: "a", length: 1 }, new Set(["a"])],
  },
]

/** Keys that are easily taken for one another. None differ in letter case alone, which some stores refuse. */
export const lookAlikeKeys: readonly Key[] = [
  ["a", "b"],
  ["a", "b", "c"],
  ["a", "bc"],
  ["ab", "c"],
  ["abc"],
  ...["a/b", "a\\b", "ab", "a:b", "a,b", "a|b", "a.b", "a\u0001b", "a\u001fb", '["a","b"]'].map(alone),
  ...["a", " a", "a ", "a\t", "a\n", "a.", "a.json", "a.json.json", "a.tmp", "a~", '"a"'].map(alone),
  ...[".", "..", "...", "../a", "./a", "/a", "%2E%2E", "%2E", "%252E", "a%2Fb", "%", "%00", "\\0"].map(alone),
  ...["*", "?", "_", "__", "a_", "a%", "axx", "'a'", "$a", "-a", "+a", "#a"].map(alone),
  ...["1", "01", "1.0", "1e0", "+1", "-0", "0", "0x1", "١"].map(alone),
  ...["null", "undefined", "true", "NaN", "__proto__", "constructor", "toString", "length"].map(alone),
  ...["con", "nul", "aux.txt", "com1", "migration", "index", ".hidden"].map(alone),
  ...["\u00e9", "e\u0301", "e", "\uff41", "\ufb01", "fi", "straße", "strasse", "a\u200b", "a\u00ad"].map(
    alone,
  ),
]

/** Keys from all over Unicode. */
export const unicodeKeys: readonly Key[] = [
  ["会话", "消息", "部分"],
  ["проект", "сессия"],
  ["مشروع", "جلسة"],
  ["😀", "👩‍👩‍👧‍👦", "🏳️‍🌈"],
  ["👩‍👩‍👧‍👦"],
  ["\u0001", "\u001f", "\u007f"],
  ["line\nbreak", "tab\tstop", "return\r"],
  ["\u2028", "\u2029", "\u0085", "\u00a0"],
  ["\ufeffmarked", "\ufffd", "\ufffe", "\uffff"],
  ["\ud7ff", "\ue000"],
  ["\u{10000}", "\u{10ffff}"],
  ["é", "e\u0301", "ñ", "ü", "ø"],
  ['"quoted"', "'single'", "`back`", "back\\slash"],
]

/** The longest keys that every store takes: 4 segments of 64 UTF-8 bytes, of 1, 2, 3 and 4 bytes a character. */
export const longestKeys: readonly Key[] = ["x", "é", "漢", "😀"].map((character) => {
  const count = Math.floor(64 / Buffer.byteLength(character))
  const padding = "-".repeat(64 - count * Buffer.byteLength(character))
  return new Array(4).fill(character.repeat(count) + padding)
})

/** Pairs of keys beyond what every store takes, alike but for their last character. */
export const oversizedTwins: readonly (readonly [Key, Key])[] = [
  ...[65, 129, 250, 255, 256, 1_000, 10_000].map((length) => twins((end) => ["x".repeat(length - 1) + end])),
  ...[100, 5_000].map((length) => twins((end) => ["漢".repeat(length - 1) + end])),
  ...[9, 17, 100].map((depth) => twins((end) => [...new Array(depth - 1).fill("deep"), end])),
  twins((end) => [...new Array(99).fill("x".repeat(64)), end]),
]

function alone(segment: string): Key {
  return [segment]
}

function twins(keyEndingIn: (end: string) => Key): readonly [Key, Key] {
  return [keyEndingIn("1"), keyEndingIn("2")]
}
