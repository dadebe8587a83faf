import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  compareKeys,
  compareUtf8,
  decodeKey,
  encodeKey,
  isBelow,
  type Key,
  validateKey,
  validatePrefix,
} from "./key.js"
import { StorageError } from "./storage-error.js"

// Neighbours in UTF-16, in UTF-8 and around the separator, where an order or a bound goes wrong first.
const awkward = fc.constantFrom(
  "\u0001",
  "a",
  "b",
  "é",
  "e\u0301",
  "日",
  "\ud7ff",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "🐚",
  "\u{10ffff}",
)
const text = fc.string({
  unit: fc.oneof(awkward, fc.string({ unit: "binary", minLength: 1, maxLength: 1 })),
  maxLength: 4,
})
const segment = text.map((characters) => characters.replaceAll("\0", "") || "a")
const key = fc.array(segment, { minLength: 1, maxLength: 3 })
const prefix = fc.array(segment, { maxLength: 3 })

describe("compareUtf8", () => {
  it("orders as the UTF-8 bytes are ordered", () => {
    fc.assert(
      fc.property(text, text, text, (shared, a, b) => {
        const [left, right] = [shared + a, shared + b]
        expect(Math.sign(compareUtf8(left, right))).toBe(byteOrder(left, right))
      }),
      { numRuns: 2000 },
    )
  })

  it("puts characters beyond U+FFFF behind U+FFFF, where a bare sort does not", () => {
    const ordered = ["", "\u0001", "z", "é", "\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"]
    expect(ordered.toReversed().sort(compareUtf8)).toEqual(ordered)
    expect(ordered.toReversed().sort()).not.toEqual(ordered)
  })
})

describe("compareKeys", () => {
  it("orders segment by segment, each by its UTF-8 bytes", () => {
    fc.assert(
      fc.property(prefix, prefix, prefix, (shared, a, b) => {
        const [left, right] = [
          [...shared, ...a],
          [...shared, ...b],
        ]
        expect(Math.sign(compareKeys(left, right))).toBe(segmentOrder(left, right))
      }),
      { numRuns: 2000 },
    )
  })

  it("puts a key before its descendants, and these before a longer name", () => {
    const ordered = [["a"], ["a", "\u{10ffff}"], ["a", "\u{10ffff}", "a"], ["a\u0001"], ["ab"]]
    expect(ordered.toReversed().sort(compareKeys)).toEqual(ordered)
  })
})

describe("encodeKey", () => {
  it("gives strings in the order of their keys", () => {
    fc.assert(
      fc.property(prefix, key, key, (shared, a, b) => {
        const [left, right] = [
          [...shared, ...a],
          [...shared, ...b],
        ]
        expect(Math.sign(compareUtf8(encodeKey(left), encodeKey(right)))).toBe(
          Math.sign(compareKeys(left, right)),
        )
      }),
      { numRuns: 2000 },
    )
  })

  it("is undone by decodeKey, so that no two keys share a string", () => {
    fc.assert(
      fc.property(key, (original) => {
        expect(decodeKey(encodeKey(original))).toEqual(original)
      }),
    )
  })

  it("gives the descendants of a prefix, and nothing else, its string and a NUL as their start", () => {
    fc.assert(
      fc.property(key, fc.oneof(key, prefix), fc.boolean(), (ancestor, other, related) => {
        const candidate = related ? [...ancestor, ...other] : other
        expect(encodeKey(candidate).startsWith(`${encodeKey(ancestor)}\0`)).toBe(isBelow(ancestor, candidate))
      }),
      { numRuns: 2000 },
    )
  })
})

describe("isBelow", () => {
  it.each<[Key, Key, boolean]>([
    [["a"], ["a", "b"], true],
    [["a"], ["a", "b", "c"], true],
    [["a"], ["a"], false],
    [["a"], ["ab"], false],
    [["a"], ["ab", "c"], false],
    [["a"], ["a\u0001"], false],
    [["a", "b"], ["a"], false],
    [["é"], ["e\u0301", "a"], false],
    [[], ["a"], true],
    [[], [], false],
  ])("of %j and %j is %s", (ancestor, candidate, expected) => {
    expect(isBelow(ancestor, candidate)).toBe(expected)
  })
})

describe("validateKey", () => {
  it.each<[Key]>([
    [["a"]],
    [["\u0001"]],
    [[" "]],
    [["..", "/", "\\", "a:b"]],
    [["🐚", "\uffff", "\u{10ffff}"]],
  ])("accepts %j", (valid) => {
    expect(() => validateKey(valid)).not.toThrow()
  })

  it("accepts every array of non-empty, well-formed strings without NUL", () => {
    fc.assert(
      fc.property(key, (valid) => {
        expect(() => validateKey(valid)).not.toThrow()
      }),
    )
  })

  it.each<[string, unknown]>([
    ["a string", "session"],
    ["nothing", undefined],
    ["null", null],
    ["an object", { 0: "a", length: 1 }],
    ["an empty array", []],
    ["an empty segment", ["a", ""]],
    ["a number as a segment", ["a", 1]],
    ["a hole", new Array(1)],
    ["an array as a segment", [["a"]]],
    ["a symbol behind an empty segment", ["", Symbol("a")]],
    ["NUL", ["a", "b\0c"]],
    ["a lone high surrogate", ["a\ud83d"]],
    ["a lone low surrogate", ["\udc1aa"]],
    ["surrogates in the wrong order", ["\udc1a\ud83d"]],
  ])("refuses %s", (_, invalid) => {
    expect(codeOf(() => validateKey(invalid as Key))).toBe("INVALID_KEY")
  })
})

describe("validatePrefix", () => {
  it("accepts the empty array, which stands for all records", () => {
    expect(() => validatePrefix([])).not.toThrow()
  })

  it.each<[unknown]>([["a"], [undefined], [[""]], [["a\0"]], [["\ud83d"]], [[1]]])(
    "refuses %j",
    (invalid) => {
      expect(codeOf(() => validatePrefix(invalid as Key))).toBe("INVALID_KEY")
    },
  )
})

function byteOrder(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}

function segmentOrder(a: Key, b: Key): number {
  for (const [index, name] of a.entries()) {
    const other = b[index]
    if (other === undefined) return 1
    if (name !== other) return byteOrder(name, other)
  }
  return a.length === b.length ? 0 : -1
}

function codeOf(action: () => void): string | undefined {
  try {
    action()
    return undefined
  } catch (error) {
    if (StorageError.is(error)) return error.code
    throw error
  }
}
