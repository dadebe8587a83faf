import { expect, test } from "vitest"
import { SharedShelf } from "./shared-shelf.js"

/** The place of a text. */
function locate(shared: SharedShelf, text: Buffer): [piece: number, start: number, length: number] {
  const places: number[] = []
  shared.locate(text, places)
  return places as [number, number, number]
}

test("a text that is on the shelf stays where it is", () => {
  const shared = new SharedShelf()
  const memory = shared.shelf.roomFor(3)
  memory.write("one", shared.shelf.offset)
  shared.shelf.keep(3)
  const text = memory.subarray(0, 3)
  expect(locate(shared, text)).toEqual([0, 0, 3])
  expect(shared.clear()).toEqual([memory.buffer])
})

test.each(["elsewhere", ""])("any other text is put there, such as %j", (text) => {
  const shared = new SharedShelf()
  const [piece, start, length] = locate(shared, Buffer.from(text))
  const memory = Buffer.from(shared.clear()[piece] as SharedArrayBuffer)
  expect(memory.toString("utf8", start, start + length)).toBe(text)
})

test("lines come one behind the other, whatever is put there between them", () => {
  const shared = new SharedShelf()
  const places: number[] = []
  for (const line of ["first", "second"]) {
    const memory = shared.lineShelf.roomFor(line.length + 1)
    memory.write(`${line}\n`, shared.lineShelf.offset)
    shared.lineShelf.keep(line.length + 1)
    shared.locateLine(line.length, places)
    expect(locate(shared, Buffer.from("between"))).toEqual([1, shared.shelf.offset - 7, 7])
  }
  expect(places).toEqual([0, 0, 5, 0, 6, 6])
  const [lines, others] = shared.clear().map((piece) => Buffer.from(piece).toString("utf8", 0, 14))
  expect(lines?.slice(0, 13)).toBe("first\nsecond\n")
  expect(others).toBe("betweenbetween")
})

test("what is put there does not go into memory that was handed over until that has come back", () => {
  const shared = new SharedShelf()
  locate(shared, Buffer.from("first"))
  const first = shared.clear()
  locate(shared, Buffer.from("second"))
  expect(shared.clear()[0]).not.toBe(first[0])
  shared.giveBack(first)
  locate(shared, Buffer.from("third"))
  expect(shared.clear()[0]).toBe(first[0])
})

test("memory for a very large text is not kept", () => {
  const shared = new SharedShelf()
  locate(shared, Buffer.alloc(9 * 1024 * 1024))
  const pieces = shared.clear()
  shared.giveBack(pieces)
  locate(shared, Buffer.from("small"))
  expect(shared.clear()[0]).not.toBe(pieces[0])
})
