import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { isIndented } from "./indented.js"
import { parseText } from "./value.js"

const json = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" })
const indented = json.map((value) => JSON.stringify(value, undefined, 2))
const looksIndented = (text: string) => isIndented(Buffer.from(text))

describe("isIndented", () => {
  test("what JSON.stringify indents by two is indented", () => {
    fc.assert(fc.property(indented, looksIndented), { numRuns: 2_000 })
  })

  test("what is no JSON is not, and neither is other white space", () => {
    const place = fc.double({ min: 0, max: 1, noNaN: true })
    const pieces = ' |\n|\t|  |\n  |"|\\|\\u00|,|:|{|}|[|]|{}|0|-|1.|e|E+1|true|null|\u0000|\u001f|é|"a": 1'
    const piece = fc.constantFrom(...pieces.split("|"))
    fc.assert(
      fc.property(
        indented,
        fc.array(fc.tuple(place, fc.nat(3), piece), { minLength: 1, maxLength: 3 }),
        (text, changes) => {
          let changed = text
          for (const [where, removed, added] of changes) {
            const position = Math.round(where * changed.length)
            changed = changed.slice(0, position) + added + changed.slice(position + removed)
          }
          if (!looksIndented(changed)) return
          expect(parseText(changed)).toHaveProperty("value")
          expect(reindented(changed)).toBe(changed)
        },
      ),
      { numRuns: 20_000 },
    )
  })

  test.each([0, 1, 3, 4, "\t"])("with an indentation of %j it is not", (indent) => {
    const nested = fc.oneof(
      fc.array(json, { minLength: 1 }),
      fc.dictionary(fc.string(), json, { minKeys: 1 }),
    )
    fc.assert(fc.property(nested, (value) => !looksIndented(JSON.stringify(value, undefined, indent))))
  })

  test.each([
    ["numbers as nobody writes them", '{\n  "a": 1.0,\n  "b": [\n    1E5,\n    -0,\n    0.0e-7\n  ]\n}'],
    ["escapes that are not needed", '{\n  "\\u0061": "\\/\\\\\\uD800"\n}'],
    ["a property twice", '{\n  "a": "x",\n  "a": []\n}'],
    ["a string as long as a file", JSON.stringify({ a: '"\\'.repeat(10_000_000) }, undefined, 2)],
  ])("%s do not matter", (_, text) => {
    expect(looksIndented(text)).toBe(true)
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
    ["[\n  1,\n]", "a comma too many"],
    ["[\n  1\n  2\n]", "a comma too few"],
    ["[\n  1\n}", "another bracket"],
    ["[\n  1", "no end"],
    ["{\n  1\n}", "no name"],
    ['[\n  "a": 1\n]', "a name in a list"],
    ["[\n  01\n]", "a number with a zero in front"],
    ["[\n  1.\n]", "a number with nothing behind the point"],
    ["[\n  -\n]", "a sign alone"],
    ["[\n  1e\n]", "a number with nothing behind the e"],
    ["[\n  nul\n]", "half a word"],
    ['[\n  "\\x"\n]', "an escape that is none"],
    ['[\n  "\\u00g0"\n]', "an escape of no character"],
    ['[\n  "a\tb"\n]', "a tab in a string"],
    ['[\n  "a\nb"\n]', "a line end in a string"],
    ['[\n  "a\\"\n]', "a string without an end"],
    ["{} {}", "two values"],
  ])("%j is not indented: %s", (text) => {
    expect(looksIndented(text)).toBe(false)
  })

  test("what nests deeper than stores can keep is not", () => {
    const nested = (levels: number): unknown => (levels === 0 ? [] : [nested(levels - 1)])
    expect(looksIndented(JSON.stringify(nested(900), undefined, 2))).toBe(true)
    expect(looksIndented(JSON.stringify(nested(1_000), undefined, 2))).toBe(false)
  })
})

/** A JSON text with the white space between its tokens as it should be. */
function reindented(text: string): string {
  let depth = 0
  let before = ""
  let result = ""
  const line = () => `\n${"  ".repeat(depth)}`
  for (const token of text.match(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g) ?? []) {
    if ("}]".includes(token)) {
      depth--
      if (!"{[".includes(before)) result += line()
    } else if (before !== "" && "{[,".includes(before)) result += line()
    result += token === ":" ? ": " : token
    if ("{[".includes(token)) depth++
    before = token
  }
  return result
}
