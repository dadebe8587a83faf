import { expect, test } from "vitest"
import { crc32c, masked } from "./crc32c.js"

// From RFC 3720, B.4, and from LevelDB's own tests.
test.each([
  [Buffer.alloc(32), 0x8a9136aa],
  [Buffer.alloc(32, 0xff), 0x62a8ab43],
  [Buffer.from(Array.from({ length: 32 }, (_, index) => index)), 0x46dd794e],
  [Buffer.from("123456789"), 0xe3069283],
])("known checksums come out, in one piece and in two", (bytes, expected) => {
  expect(crc32c(bytes, 0, bytes.length)).toBe(expected)
  for (let middle = 0; middle <= bytes.length; middle++) {
    expect(crc32c(bytes, middle, bytes.length, crc32c(bytes, 0, middle))).toBe(expected)
  }
})

test("a masked checksum is another one", () => {
  expect(masked(0xe3069283)).toBe((((0xe3069283 >>> 15) | (0xe3069283 << 17)) + 0xa282ead8) >>> 0)
  expect(masked(0)).toBe(0xa282ead8)
})
