import { createHash } from "node:crypto"
import { expect, test } from "vitest"
import { digestLines } from "./lines-digest.js"

const memory = Buffer.from('{"a":1}\n{}\n{"b":2}\n')
const lines = [memory.subarray(0, 7), memory.subarray(8, 10), memory.subarray(11, 18)] as const
const elsewhere = Buffer.from('{"c":3}\n').subarray(0, 7)

test.each([
  ["lines that follow each other", [...lines]],
  ["lines in another order", [lines[2], lines[0], lines[1]]],
  ["some of the lines", [lines[0], lines[2]]],
  ["lines in other places", [lines[0], elsewhere, lines[1], lines[2]]],
  ["one line twice", [lines[1], lines[1]]],
  ["no lines", []],
])("the digest of %s is that of their text", (_, some) => {
  const text = some.map((line) => `${line.toString()}\n`).join("")
  expect(digestLines(some)).toBe(createHash("sha256").update(text).digest("hex"))
})
