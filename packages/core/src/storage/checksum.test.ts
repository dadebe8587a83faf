import { expect, test } from "vitest"
import { checksum } from "./checksum.js"

test("the checksum of a text is that of its UTF-8", () => {
  const text = JSON.stringify({ title: "Größe \u{1F600}" })
  expect(checksum("session\0a", Buffer.from(text))).toBe(checksum("session\0a", text))
})

test("every bit of the text counts, and so does the key", () => {
  const text = Buffer.from('{"title":"A title"}')
  const before = checksum("session\0a", text)
  for (let bit = 0; bit < text.length * 8; bit++) {
    const altered = Buffer.from(text)
    altered.writeUInt8(altered.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    expect(checksum("session\0a", altered)).not.toBe(before)
  }
  expect(checksum("session\0b", text)).not.toBe(before)
})
