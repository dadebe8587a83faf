import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isIndented } from "./indented.js"

const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })

describe("isIndented", () => {
  test("what JSON.stringify indents by two is indented", () => {
    fc.assert(fc.property(json, (value) => isIndented(JSON.stringify(value, undefined, 2))))
  })

  test("with white space anywhere else it is not", () => {
    const space = fc.constantFrom(" ", "\n", "\t", "\r", "  ", "\n  ")
    fc.assert(
      fc.property(json, fc.double({ min: 0, max: 1, noNaN: true }), space, (value, place, added) => {
        const text = JSON.stringify(value, undefined, 2)
        const position = Math.round(place * text.length)
        const changed = text.slice(0, position) + added + text.slice(position)
        const isSame = isJson(changed) && JSON.stringify(JSON.parse(changed)) === JSON.stringify(value)
        fc.pre(isSame)
        expect(isIndented(changed)).toBe(false)
      }),
    )
  })

  test.each([0, 1, 3, 4, "\t"])("with an indentation of %j it is not", (indent) => {
    const nested = fc.oneof(
      fc.array(json, { minLength: 1 }),
      fc.dictionary(fc.string(), json, { minKeys: 1 }),
    )
    fc.assert(fc.property(nested, (value) => !isIndented(JSON.stringify(value, undefined, indent))))
  })

  test.each([
    ["numbers as nobody writes them", '{\n  "a": 1.0,\n  "b": [\n    1E5,\n    -0\n  ]\n}'],
    ["escapes that are not needed", '{\n  "\\u0061": "\\/\\\\"\n}'],
    ["a property twice", '{\n  "a": "x",\n  "a": []\n}'],
    ["a string as long as a file", JSON.stringify({ a: '"\\'.repeat(10_000_000) }, undefined, 2)],
  ])("%s do not matter", (_, text) => {
    expect(isIndented(text)).toBe(true)
  })

  test.each([
    ["", "nothing"],
    ['{\n  "a": {\n  }\n}', "an empty object in two lines"],
    ['{\n  "a": 1, "b": 2\n}', "two properties in one line"],
    ['{\n  "a": "x", "b": "y"\n}', "two strings in one line"],
    ['{\n  "a":1\n}', "no space behind a colon"],
    ['{\n  "a" : 1\n}', "a space before a colon"],
    ['{ "a": 1 }', "one line"],
    ["[\n  1,\n\n  2\n]", "an empty line"],
    ["[\n  1\n]\n", "a line end at the end"],
    ["\uFEFF{}", "a byte order mark"],
  ])("%j is not indented: %s", (text) => {
    expect(isIndented(text)).toBe(false)
  })
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
