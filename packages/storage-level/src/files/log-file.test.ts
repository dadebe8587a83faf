import { writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { crc32c, masked } from "./crc32c.js"
import { FileWindow } from "./file-window.js"
import { readLog } from "./log-file.js"

const BLOCK = 32 * 1024

test.each<[string, Buffer, string[]]>([
  ["nothing", Buffer.alloc(0), []],
  ["two records", Buffer.concat([full("a"), full("bc")]), ["record 1", "record 2"]],
  [
    "a record over two blocks",
    Buffer.concat([fragment(2, "x".repeat(BLOCK - 7)), fragment(4, "yz"), full("a")]),
    [`record ${BLOCK - 5}`, "record 1"],
  ],
  [
    "filling at the end of a block",
    Buffer.concat([full("x".repeat(BLOCK - 13)), Buffer.alloc(6), full("a")]),
    [`record ${BLOCK - 13}`, "record 1"],
  ],
  ["a header that is cut off", Buffer.concat([full("a"), full("b").subarray(0, 5)]), ["record 1", "torn 5"]],
  [
    "a record that is cut off",
    Buffer.concat([full("a"), full("bcd").subarray(0, 9)]),
    ["record 1", "torn 9"],
  ],
  ["a record without its last part", Buffer.concat([full("a"), fragment(2, "xyz")]), ["record 1", "torn 3"]],
  [
    "zeros at the end",
    Buffer.concat([full("a"), Buffer.alloc(BLOCK * 2)]),
    ["record 1", `torn ${BLOCK * 2}`],
  ],
  [
    "zeros before a record",
    Buffer.concat([full("a"), Buffer.alloc(20), full("b")]),
    ["record 1", "damaged 20", "record 1"],
  ],
  [
    "a wrong checksum at the end",
    Buffer.concat([full("a"), flipped(full("b"), 7)]),
    ["record 1", "damaged 8"],
  ],
  [
    "a wrong checksum before a record",
    Buffer.concat([flipped(full("a"), 0), full("b")]),
    ["damaged 8", "record 1"],
  ],
  [
    "a length that reaches beyond the end",
    Buffer.concat([flipped(full("a"), 5), full("b")]),
    ["damaged 8", "record 1"],
  ],
  [
    "bytes of no kind at the end",
    Buffer.concat([full("a"), Buffer.alloc(9, 0x7f)]),
    ["record 1", "damaged 9"],
  ],
  ["an unknown kind", Buffer.concat([fragment(9, "a"), full("b")]), ["damaged 8", "record 1"]],
  ["an end without a start", Buffer.concat([fragment(4, "a"), full("b")]), ["damaged 1", "record 1"]],
  ["a start without an end", Buffer.concat([fragment(2, "ab"), full("b")]), ["damaged 2", "record 1"]],
])("%s", async (_, bytes, expected) => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "log")
  await writeFile(path, bytes)
  await using file = await FileWindow.open(path)
  const items: string[] = []
  for await (const item of readLog(file)) {
    const size = item.type === "record" ? Buffer.concat(item.pieces).length : item.bytes
    items.push(`${item.type} ${size}`)
  }
  expect(items).toEqual(expected)
})

function full(text: string): Buffer {
  return fragment(1, text)
}

function fragment(kind: number, text: string): Buffer {
  const bytes = Buffer.alloc(7 + text.length)
  bytes.writeUInt16LE(text.length, 4)
  bytes.writeUInt8(kind, 6)
  bytes.write(text, 7)
  bytes.writeUInt32LE(masked(crc32c(bytes, 6, bytes.length)), 0)
  return bytes
}

function flipped(bytes: Buffer, offset: number): Buffer {
  const copy = Buffer.from(bytes)
  copy.writeUInt8(copy.readUInt8(offset) ^ 0x40, offset)
  return copy
}
