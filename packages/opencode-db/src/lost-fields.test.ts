import fc from "fast-check"
import { expect, test } from "vitest"
import { lostFields } from "./lost-fields.js"

test.each<[unknown, unknown, string[]]>([
  [{ a: 1, b: { c: 2, d: 3 } }, { a: 1, b: { c: 2 } }, ["b.d"]],
  [{ a: 1 }, { a: 2 }, ["a"]],
  [{ a: {} }, {}, ["a"]],
  [{ a: "" }, {}, ["a"]],
  [[{ id: 1, text: "x" }], [{ text: "x" }], ["0.id"]],
  [[1, 2], [1], ["1"]],
  [{ a: [1] }, { a: { 0: 1 } }, ["a"]],
  [{ a: null }, {}, []],
  [{ a: null }, { a: 1 }, ["a"]],
  [{}, { a: 1 }, []],
  [{ constructor: 1 }, {}, ["constructor"]],
])("of %j, %j does not have %j", (value, counterpart, lost) => {
  expect(lostFields(value, counterpart)).toEqual(lost)
})

test("a value loses nothing to its copy", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(lostFields(value, JSON.parse(JSON.stringify(value)))).toEqual([])
    }),
  )
})
