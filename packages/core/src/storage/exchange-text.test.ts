import fc from "fast-check"
import { expect, it } from "vitest"
import { exchangeFromStored, isKeptAsItIs, storedFromExchange } from "./exchange-text.js"

it.each([
  ["as opencode writes it", '{\n  "a": 1\n}'],
  ["compact", '{"a":1}'],
  ["on one line with spaces", '{ "a": 1 }'],
  ["with a number that JavaScript writes differently", '{"a":1.0}'],
  ["with a number beyond 2^53", '{"a":12345678901234567890}'],
  ["with a property twice", '{"a":1,"a":2}'],
  ["with a byte order mark", '\uFEFF{"a":1}'],
  ["with a space in front", ' {"a":1}'],
  ["with a tab in front", '\t{"a":1}'],
  ["with white space around it", '\n {"a":1}\n'],
  ["an empty object", "{}"],
  ["a string", '"a"'],
])("a text %s comes back exactly and can be parsed meanwhile", (_, text) => {
  const stored = storedFromExchange(text)
  expect(exchangeFromStored(stored)).toBe(text)
  expect(JSON.parse(stored)).toEqual(JSON.parse(text.replace("\uFEFF", "")))
})

it("any JSON in any indentation comes back exactly", () => {
  const indentation = fc.constantFrom<(string | number)[]>("", 1, 2, 4, "\t")
  const padding = fc.constantFrom("", " ", "\t", "\n", "\uFEFF", "  ")
  fc.assert(
    fc.property(fc.json(), indentation, padding, (json, indent, before) => {
      const text = before + JSON.stringify(JSON.parse(json), undefined, indent)
      expect(exchangeFromStored(storedFromExchange(text))).toBe(text)
      if (isKeptAsItIs(Buffer.from(text))) expect(storedFromExchange(text)).toBe(text)
    }),
  )
})

it("a text that a store of compact JSON wrote itself gets opencode's indentation", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const indented = JSON.stringify(value, undefined, 2)
      expect(exchangeFromStored(JSON.stringify(value))).toBe(indented)
    }),
  )
})

it("a damaged text stays as it is", () => {
  expect(exchangeFromStored('{"a":')).toBe('{"a":')
})

it("what opencode writes is kept as it is, and that shows in its first bytes", () => {
  for (const value of [{ a: 1 }, [1], { a: { b: "é" } }]) {
    expect(isKeptAsItIs(Buffer.from(JSON.stringify(value, undefined, 2)))).toBe(true)
    expect(isKeptAsItIs(Buffer.from(JSON.stringify(value)))).toBe(false)
  }
})
