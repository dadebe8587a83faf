import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { decodeSegment, encodeSegment } from "./file-name.js"
import { nastySegments } from "./testing/nasty-segments.js"

/** Whatever a key may contain, with the characters that matter to file systems drawn often. */
const segments = fc
  .oneof(
    fc.string({ unit: "binary", minLength: 1, maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(..."aA.%/\\ :-_0éÉ"), minLength: 1, maxLength: 12 }),
    fc
      .array(fc.constantFrom(...nastySegments, "con", "Com1", ".", "json", ".JSON", "a"), {
        minLength: 1,
        maxLength: 3,
      })
      .map((pieces) => pieces.join("")),
  )
  .filter((segment) => !segment.includes("\0"))

describe("any segment", () => {
  test("comes back from its file name", () => {
    fc.assert(
      fc.property(segments, (segment) => {
        expect(decodeSegment(encodeSegment(segment))).toBe(segment)
      }),
      { numRuns: 2000 },
    )
  })

  test("has a name that every file system takes", () => {
    fc.assert(
      fc.property(segments, (segment) => {
        const name = encodeSegment(segment)
        expect(name).toMatch(/^[A-Za-z0-9_%-](?:[A-Za-z0-9_.%-]*[A-Za-z0-9_%-])?$/)
        expect(name).not.toMatch(/^(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)/i)
        expect(name).not.toMatch(/\.json$/i)
      }),
      { numRuns: 2000 },
    )
  })

  test("shares its name, letter case aside, only with segments that differ in the case of ASCII letters", () => {
    fc.assert(
      fc.property(fc.oneof(fc.tuple(segments, segments), segments.chain(variants)), ([a, b]) => {
        const sameName = encodeSegment(a).toLowerCase() === encodeSegment(b).toLowerCase()
        if (sameName) expect(lowerAscii(a)).toBe(lowerAscii(b))
      }),
      { numRuns: 2000 },
    )
  })
})

test.each([
  "ses_e1e7b3dcaffe6EDeN1rhD2ZHnj",
  "msg_1e184c6f7001pB5Xq0H2iRo7mD",
  "a08918a10ff26f65d55fc0bead5534907d8df481",
  "global",
  "session_diff",
  "com10",
  "console",
  "v1.2.3",
  "a..b",
  "a.json5",
])("%s is its own file name", (segment) => {
  expect(encodeSegment(segment)).toBe(segment)
  expect(decodeSegment(segment)).toBe(segment)
})

test.each([
  ["..", "%2E%2E"],
  [".", "%2E"],
  ["a/b", "a%2Fb"],
  ["a\\b", "a%5Cb"],
  ["CON", "%43ON"],
  ["con.txt", "%63on.txt"],
  ["nul", "%6Eul"],
  ["a.", "a%2E"],
  ["a ", "a%20"],
  [".hidden", "%2Ehidden"],
  [".sessile", "%2Esessile"],
  ["a.json", "a%2Ejson"],
  ["A.JSON", "A%2EJSON"],
  ["%", "%25"],
  ["%2E", "%252E"],
  ["C:", "C%3A"],
  ["😀", "%F0%9F%98%80"],
  ["\u{e9}", "%C3%A9"],
  ["e\u{301}", "e%CC%81"],
])("%j becomes %s", (segment, name) => {
  expect(encodeSegment(segment)).toBe(name)
  expect(decodeSegment(name)).toBe(segment)
})

test("opencode's marker leaves the name of a record's folder free", () => {
  expect(encodeSegment("migration")).not.toBe("migration")
})

describe("a name that encodeSegment never gives is a foreign file's", () => {
  test.each([
    "",
    ".",
    ".hidden",
    "a.",
    "a b",
    "x (1)",
    "con",
    "NUL.txt",
    "a.json",
    "é",
    "%",
    "%2",
    "%zz",
    "%2e%2e",
    "%61",
    "%00",
    "a%00b",
    "%FF",
    "%ED%A0%80",
    "a%2Eb",
    "x".repeat(251),
    `%C3%A9${"x".repeat(245)}`,
  ])("%j", (name) => {
    expect(decodeSegment(name)).toBeUndefined()
  })

  test("whatever it looks like", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(..."aA.%0126EFcon"), maxLength: 9 }), (name) => {
        const segment = decodeSegment(name)
        if (segment !== undefined) expect(encodeSegment(segment)).toBe(name)
      }),
      { numRuns: 5000 },
    )
  })
})

test("a segment whose name would exceed 255 bytes with the extension is refused, without being quoted", () => {
  expect(encodeSegment("x".repeat(250))).toHaveLength(250)
  expect(encodeSegment("é".repeat(41))).toHaveLength(246)
  for (const segment of ["x".repeat(251), "é".repeat(42)]) {
    const attempt = () => encodeSegment(segment)
    expect(attempt).toThrow(expect.objectContaining({ code: "INVALID_KEY" }))
    expect(attempt).toThrow(/250 are the limit/)
  }
})

function variants(segment: string): fc.Arbitrary<[string, string]> {
  const others = [
    segment.toLowerCase(),
    segment.toUpperCase(),
    segment.normalize("NFD"),
    encodeSegment(segment),
  ]
  return fc.constantFrom(...others.filter((other) => other.length < 40)).map((other) => [segment, other])
}

function lowerAscii(segment: string): string {
  return segment.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}
