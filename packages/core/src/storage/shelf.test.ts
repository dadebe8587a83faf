import { expect, test } from "vitest"
import { Shelf } from "./shelf.js"

test("things that are kept lie one behind the other", () => {
  const shelf = new Shelf()
  const memory = shelf.roomFor(3)
  memory.write("one", shelf.offset)
  shelf.keep(3)
  expect(shelf.roomFor(3) === memory).toBe(true)
  memory.write("two", shelf.offset)
  expect(memory.toString("utf8", 0, 6)).toBe("onetwo")
})

test("what is not kept gives way to the next thing", () => {
  const shelf = new Shelf()
  shelf.roomFor(3).write("one", shelf.offset)
  expect(shelf.offset).toBe(0)
})

test("something larger than what is left goes to other memory, and leaves alone what is there", () => {
  const sizes: number[] = []
  const shelf = new Shelf((bytes) => {
    sizes.push(bytes)
    return Buffer.alloc(bytes)
  })
  const first = shelf.roomFor(3)
  shelf.keep(3)
  const large = shelf.roomFor(2 * first.length)
  expect(large === first).toBe(false)
  expect(shelf.offset).toBe(0)
  expect(sizes).toEqual([first.length, 2 * first.length])
})

test("after leaving, the next thing goes to other memory", () => {
  const shelf = new Shelf()
  const memory = shelf.roomFor(3)
  shelf.leave()
  expect(shelf.roomFor(3) === memory).toBe(false)
})
