import { inspect } from "node:util"
import { runInNewContext } from "node:vm"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { StorageError } from "./storage-error.js"
import { decodeValue, encodeValue, MAX_DEPTH, parseText } from "./value.js"

const key = ["session", "global", "ses_1"]
const secret = "sk-c0ffee-do-not-tell"

describe("encodeValue", () => {
  it("is undone by decodeValue for every JSON value, the order of properties included", () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
        const text = encodeValue(value, key)
        expect(text).toBe(JSON.stringify(value))
        expect(JSON.stringify(decodeValue(text, key))).toBe(text)
      }),
    )
  })

  it.each<[string, unknown]>([
    ["null", null],
    ["an empty string", ""],
    ["false", false],
    ["the largest number", Number.MAX_VALUE],
    ["the smallest number", Number.MIN_VALUE],
    ["an empty object", {}],
    ["an empty array", []],
    ["an object without prototype", Object.assign(Object.create(null), { a: 1 })],
    ["an object of another realm", runInNewContext("({ a: [1, { b: 2 }] })")],
    ["one object at two places", twice({ a: 1 })],
    ["a property called toJSON that is data", { toJSON: "a" }],
    ["a property called constructor", { constructor: { name: "a" } }],
  ])("accepts %s", (_, value) => {
    expect(decodeValue(encodeValue(value, key), key)).toEqual(value)
  })

  it("leaves out object properties that are undefined", () => {
    expect(encodeValue({ a: undefined, b: { c: undefined, d: 1 } }, key)).toBe('{"b":{"d":1}}')
  })

  it("keeps an own property called __proto__", () => {
    const text = '{"__proto__":{"admin":true},"a":1}'
    const value = decodeValue<object>(text, key)
    expect(encodeValue(value, key)).toBe(text)
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect("admin" in value).toBe(false)
  })

  it("stores minus zero as zero, the only number that changes", () => {
    expect(encodeValue({ cost: -0 }, key)).toBe('{"cost":0}')
  })

  it("keeps lone surrogates in strings and in names", () => {
    const value = { "\udc1a": "a\ud83d", pair: "🐚" }
    const text = encodeValue(value, key)
    expect(text.isWellFormed()).toBe(true)
    expect(decodeValue(text, key)).toEqual(value)
  })

  it("keeps NUL and other control characters in strings", () => {
    expect(decodeValue(encodeValue("a\0b\u001f\u2028", key), key)).toBe("a\0b\u001f\u2028")
  })

  it("indents when told to", () => {
    expect(encodeValue({ a: [1] }, key, 2)).toBe('{\n  "a": [\n    1\n  ]\n}')
  })

  it.each<[string, unknown]>([
    ["undefined", undefined],
    ["a function", () => 1],
    ["a symbol", Symbol("a")],
    ["a bigint", 1n],
    ["NaN", Number.NaN],
    ["Infinity", Number.POSITIVE_INFINITY],
    ["-Infinity", Number.NEGATIVE_INFINITY],
    ["a Date", new Date(0)],
    ["a Map", new Map([["a", 1]])],
    ["a Set", new Set([1])],
    ["a RegExp", /a/],
    ["an Error", new Error("a")],
    ["a Promise", Promise.resolve(1)],
    ["a Buffer", Buffer.from("a")],
    ["a boxed string", Object("a")],
    ["a URL", new URL("https://example.com")],
    ["a Date of another realm", runInNewContext("new Date(0)")],
    ["an instance of a class", new (class Session {})()],
    ["an object that inherits", Object.create({ a: 1 })],
    ["a property that is a function", { toJSON: () => "a" }],
    ["a hidden toJSON", Object.defineProperty({}, "toJSON", { value: () => "a" })],
    ["undefined in an array", [1, undefined]],
    ["a hole in an array", new Array(1)],
  ])("refuses %s at any depth", (_, value) => {
    expect(() => encodeValue(value, key)).toThrow(expect.objectContaining({ code: "INVALID_VALUE", key }))
    expect(() => encodeValue({ a: [{ b: [value] }] }, key)).toThrow(
      expect.objectContaining({ code: "INVALID_VALUE", message: expect.stringContaining("at a.0.b.0") }),
    )
  })

  it("refuses a value that contains itself", () => {
    const object: Record<string, unknown> = {}
    object.self = { object }
    const array: unknown[] = []
    array.push([array])
    for (const value of [object, array]) {
      expect(() => encodeValue(value, key)).toThrow(expect.objectContaining({ code: "INVALID_VALUE" }))
    }
  })

  it(`accepts ${MAX_DEPTH} levels and refuses one more, whatever is innermost`, () => {
    for (const innermost of [[], {}, [1], { a: "b" }]) {
      expect(encodeValue(nested(MAX_DEPTH, innermost), key)).toHaveLength(
        2 * (MAX_DEPTH - 1) + JSON.stringify(innermost).length,
      )
      expect(() => encodeValue(nested(MAX_DEPTH + 1, innermost), key)).toThrow(
        expect.objectContaining({ code: "INVALID_VALUE" }),
      )
    }
  })

  it("names a deep place by its first levels, so that messages stay short", () => {
    const { message } = errorOf(() => encodeValue(nested(500, [Number.NaN]), key))
    expect(message).toContain("at 0.0.0.0.0.0.0.0 cannot")
    expect(message.length).toBeLessThan(200)
  })
})

describe("decodeValue", () => {
  it("gives a fresh copy each time", () => {
    expect(decodeValue('{"a":[]}', key)).not.toBe(decodeValue('{"a":[]}', key))
  })

  it.each([
    ["empty", "", "empty"],
    ["all NUL", "\0\0\0", "3 NUL bytes"],
    ["cut off", '{"a":', "not valid JSON (5 characters)"],
    ["with something behind it", "{} {}", "not valid JSON"],
    ["no JSON", "undefined", "not valid JSON"],
  ])("calls a text CORRUPT that is %s", (_, text, reason) => {
    const error = errorOf(() => decodeValue(text, key, "/data/ses_1.json"))
    expect(error).toMatchObject({ code: "CORRUPT", key, path: "/data/ses_1.json" })
    expect(error.message).toContain(reason)
    expect(error.message).toContain("session/global/ses_1")
    expect(error.message).toContain("/data/ses_1.json")
  })
})

describe("errors", () => {
  it.each([secret, `{"token":"${secret}`, `{"token":"${secret}"}}`, `${secret}{}`, `"${secret}\n"`])(
    "do not quote a corrupt text: %j",
    (text) => {
      expectSilence(errorOf(() => decodeValue(text, key)))
    },
  )

  it.each<[string, unknown]>([
    ["a neighbour", { token: secret, bad: Number.NaN }],
    ["a Map", new Map([["token", secret]])],
    ["an Error", new Error(secret, { cause: secret })],
    ["a symbol", Symbol(secret)],
    ["a function", Object.assign(() => secret, { secret })],
    ["a named function", { [secret]: () => 1 }[secret]],
    ["a Buffer", Buffer.from(secret)],
    ["a boxed string", Object(secret)],
    [
      "an instance",
      new (class Token {
        token = secret
        toString() {
          return secret
        }
      })(),
    ],
    [
      "an instance that hides its class",
      Object.assign(new (class Token {})(), { constructor: { name: secret } }),
    ],
    ["a value too deep", nested(MAX_DEPTH + 1, [secret])],
  ])("do not quote a refused value: %s", (_, value) => {
    expectSilence(errorOf(() => encodeValue(value, key)))
    expectSilence(errorOf(() => encodeValue({ list: [secret, value] }, key)))
  })
})

function twice(part: unknown) {
  return { first: part, second: [part] }
}

function nested(levels: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 1; level < levels; level++) value = [value]
  return value
}

function errorOf(action: () => unknown): StorageError {
  try {
    action()
  } catch (error) {
    if (StorageError.is(error)) return error
    throw error
  }
  throw new Error("It was accepted")
}

function expectSilence(error: StorageError): void {
  expect(error.message).not.toContain(secret)
  expect(error.stack).not.toContain(secret)
  expect(error.cause).toBeUndefined()
  expect(inspect(error, { depth: null, showHidden: true })).not.toContain(secret)
}

describe("a text from elsewhere", () => {
  it("is parsed, a byte order mark in front or not", () => {
    expect(parseText('{"a":1}')).toEqual({ value: { a: 1 } })
    expect(parseText('\uFEFF{"a":1}')).toEqual({ value: { a: 1 } })
    expect(decodeValue('\uFEFF{"a":1}', ["k"])).toEqual({ a: 1 })
  })

  it.each([
    ["", "empty"],
    ["\0\0", "nothing but 2 NUL bytes"],
    ['{"secret":"hunter2"', "not valid JSON (19 characters)"],
  ])("that is no JSON is refused without being quoted", (text, flaw) => {
    expect(parseText(text)).toEqual({ flaw })
  })

  it("that nests deeper than every store can keep is refused, and no shallower one", () => {
    const nested = (levels: number) => `${"[".repeat(levels)}${"]".repeat(levels)}`
    expect(parseText(nested(MAX_DEPTH))).toHaveProperty("value")
    expect(parseText(nested(MAX_DEPTH + 1))).toEqual({ flaw: "nested deeper than 1000 levels" })
  })
})
