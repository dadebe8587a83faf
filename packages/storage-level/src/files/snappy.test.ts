import fc from "fast-check"
import { expect, test } from "vitest"
import { Damage } from "./damage.js"
import { uncompress } from "./snappy.js"

// By the description of the format: literals of each length, and copies of each kind.
test.each<[string, number[], string]>([
  ["nothing", [0], ""],
  ["a short literal", [3, 2 << 2, 97, 98, 99], "abc"],
  ["a literal with a length of one byte", [61, 60 << 2, 60, ...Array(61).fill(97)], "a".repeat(61)],
  [
    "a literal with a length of two bytes",
    [0xac, 2, 61 << 2, 0x2b, 1, ...Array(300).fill(98)],
    "b".repeat(300),
  ],
  ["a copy with a distance of 11 bits", [8, 3 << 2, 97, 98, 99, 100, 1, 4], "abcdabcd"],
  ["a copy that overlaps itself", [9, 0, 97, (7 << 2) | 2, 1, 0], "aaaaaaaaa"],
  ["a copy with a distance of 4 bytes", [6, 2 << 2, 97, 98, 99, (2 << 2) | 3, 3, 0, 0, 0], "abcabc"],
])("%s", (_, compressed, expected) => {
  expect(uncompress(Buffer.from(compressed)).toString()).toBe(expected)
})

test.each<[string, number[]]>([
  ["a literal that is cut off", [3, 2 << 2, 97]],
  ["more than was announced", [1, 2 << 2, 97, 98, 99]],
  ["less than was announced", [9, 2 << 2, 97, 98, 99]],
  ["a copy from before the start", [8, 3 << 2, 97, 98, 99, 100, 1, 5]],
  ["a size that so few bytes cannot have", [0xff, 0xff, 0xff, 0xff, 0x0f, 0]],
])("%s is damage", (_, compressed) => {
  expect(() => uncompress(Buffer.from(compressed))).toThrow(Damage)
})

test("whatever the bytes are, they are uncompressed or damage", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      try {
        uncompress(Buffer.from(bytes))
      } catch (error) {
        expect(error).toBeInstanceOf(Damage)
      }
    }),
    { numRuns: 2000 },
  )
})
