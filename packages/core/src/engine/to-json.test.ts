import { describe, expect, it } from "vitest"
import { encodeValue } from "../storage/value.js"
import { DEEPEST_VALUE, isTooDeep, toJson, toJsonObject } from "./to-json.js"

describe("toJson", () => {
  it.each<[string, unknown, unknown]>([
    ["a date", new Date(0), "1970-01-01T00:00:00.000Z"],
    ["a date that is none", new Date(Number.NaN), null],
    ["NaN and infinities", [Number.NaN, Number.POSITIVE_INFINITY, 1], [null, null, 1]],
    ["a big integer", 12n, "12"],
    ["a map", new Map([["a", new Map([[1, 2]])]]), { a: { 1: 2 } }],
    ["a set", new Set([1, undefined]), [1, null]],
    ["an error", new TypeError("odd"), { name: "TypeError", message: "odd" }],
    [
      "an instance of a class",
      new (class Point {
        x = 1
      })(),
      { x: 1 },
    ],
    ["an object without a prototype", Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
    ["functions, symbols and undefined", { a: () => 1, b: Symbol("b"), c: undefined, d: 1 }, { d: 1 }],
    ["holes", Object.assign(new Array(3), { 0: 1, 2: 3 }), [1, null, 3]],
    [
      "a getter that throws",
      {
        get a() {
          throw new Error("no")
        },
        b: 1,
      },
      { a: "[cannot be read]", b: 1 },
    ],
    ["plain JSON", { a: [1, "b", null, true, { c: {} }] }, { a: [1, "b", null, true, { c: {} }] }],
  ])("takes %s", (_, value, expected) => {
    expect(toJson(value)).toEqual(expected)
    expect(() => encodeValue(toJson(value), ["x"])).not.toThrow()
  })

  it("takes what contains itself, and what has no end", () => {
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(toJson(circle)).toEqual({ self: "[contains itself]" })
    expect(JSON.stringify(toJson(nested(100_000)))).toContain("[too deep]")
    expect(() => encodeValue(toJson(nested(100_000)), ["x"])).not.toThrow()
  })

  it("takes a proxy that refuses everything", () => {
    const refuse = () => {
      throw new Error("no")
    }
    const proxy = new Proxy({}, { get: refuse, ownKeys: refuse, getPrototypeOf: refuse, has: refuse })
    expect(toJson({ proxy })).toEqual({ proxy: "[cannot be read]" })
  })

  it("keeps a field called __proto__", () => {
    expect(JSON.stringify(toJson(JSON.parse('{"__proto__":1}')))).toBe('{"__proto__":1}')
  })
})

it("toJsonObject makes an empty object of what is none", () => {
  expect([toJsonObject("x"), toJsonObject([1]), toJsonObject({ a: 1 })]).toEqual([{}, {}, { a: 1 }])
})

it("isTooDeep counts levels", () => {
  expect(isTooDeep(nested(DEEPEST_VALUE))).toBe(false)
  expect(isTooDeep(nested(DEEPEST_VALUE + 1))).toBe(true)
  expect(isTooDeep(nested(100_000))).toBe(true)
})

/** Arrays in arrays. */
function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}
