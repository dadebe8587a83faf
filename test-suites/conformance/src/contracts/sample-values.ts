import { MAX_DEPTH } from "@sessile/core/storage"

/** Values that must come back as they were, by what is special about them. */
export const validValues: readonly {
  readonly id: string
  readonly title: string
  readonly values: readonly unknown[]
}[] = [
  {
    id: "falsy-values",
    title: "null, false, zero and empty values are values like any other",
    values: [null, false, 0, "", [], {}],
  },
  {
    id: "numbers",
    title: "numbers come back exactly",
    values: [
      ...[1, -1, 0.1, 0.1 + 0.2, 1 / 3, -1.5, 1e21, 1e-7, 123456789.12345679, 1_754_000_000_000],
      ...[2 ** 31, -(2 ** 31) - 1, 2 ** 32, 2 ** 53 + 2, 2 ** 63, -(2 ** 63), 2 ** 64, 1e308],
      ...[
        Number.MAX_SAFE_INTEGER,
        Number.MIN_SAFE_INTEGER,
        Number.MAX_VALUE,
        Number.MIN_VALUE,
        Number.EPSILON,
      ],
    ],
  },
  {
    id: "strings",
    title: "strings come back exactly, whatever they contain",
    values: [
      ...['"quoted"', "'single'", "back\\slash", "\\u0041", "$a", "%s", "?", ":a", "</script>", "-- comment"],
      ...[" spaces ", "\n", "\r\n", "\t", "null", "1", '{"a":1}', "[]", "undefined"],
      Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(code)).join(""),
      ...["\u007f", "\u0085", "\u00a0", "\u2028", "\u2029", "\ufeffmarked", "\ufffd", "\ufffe", "\uffff"],
      ...["é", "e\u0301", "漢字", "عربى", "😀", "👩‍👩‍👧‍👦", "\u{10ffff}"],
      ...["\ud800", "\udc00", "\udc00\ud800", "cut \ud83d", "\ude00 cut"],
      // An odd length before characters of several bytes, so that some of them lie across any boundary.
      `x${"é漢😀".repeat(20_000)}`,
    ],
  },
  {
    id: "property-order",
    title: "properties keep their order at every level",
    values: [
      { z: 1, a: 2, m: 3, Z: 4, A: 5 },
      { long: 1, a: 2, bb: 3 },
      {
        outer: { z: { y: 1, x: 2 }, a: 3 },
        list: [
          { b: 1, a: 2 },
          { a: 1, b: 2 },
        ],
      },
      { é: 1, "😀": 2, e: 3, "\uffff": 4 },
    ],
  },
  {
    id: "odd-property-names",
    title: "any string may name a property",
    values: [
      JSON.parse('{"__proto__":{"polluted":true},"after":1}'),
      JSON.parse('{"nested":{"__proto__":null}}'),
      { "": 1, " ": 2, "\0": 3, "\n": 4, '"': 5, "\\": 6, "a.b": 7, "a/b": 8, $ref: 9, $: 10, "[0]": 11 },
      JSON.parse('{"constructor":1,"toString":2,"hasOwnProperty":3,"length":4,"toJSON":5,"then":6}'),
      { 10: "integer-like", 9: "names", "-1": "and", "01": "others", "1.5": "!" },
      { key: ["a"], value: 1, type: "write", _id: 2, id: 3, rowid: 4 },
      { "\ud800": 1, é: 2, "e\u0301": 3 },
    ],
  },
  {
    id: "arrays",
    title: "arrays keep their elements, their order and their length",
    values: [
      [1, 1, 2, 1],
      [[], [[]], [[], []]],
      [null, null],
      [3, "a", null, { b: [] }, false, [2, 1]],
      { 0: "not", 1: "an array", length: 2 },
      Array.from({ length: 10_000 }, (_, index) => 10_000 - index),
    ],
  },
]

/** What is not JSON, by kind. Each is made anew, because some contain themselves. */
export const invalidValues: readonly {
  readonly id: string
  readonly title: string
  readonly values: () => readonly unknown[]
}[] = [
  {
    id: "refuses-other-types",
    title: "undefined, functions, symbols and bigints are refused with INVALID_VALUE",
    values: () => [undefined, () => 1, class {}, Symbol("a"), 1n, { toJSON: () => "text" }],
  },
  {
    id: "refuses-infinite-numbers",
    title: "NaN and infinities are refused with INVALID_VALUE",
    values: () => [Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  },
  {
    id: "refuses-class-instances",
    title: "dates, maps and other class instances are refused with INVALID_VALUE",
    values: () => [
      ...[
        new Date(0),
        new Map([["a", 1]]),
        new Set([1]),
        /a/,
        new URL("https://example.com"),
        new Error("a"),
      ],
      ...[new Uint8Array(2), Buffer.from("a"), Object("a"), Object(1), Promise.resolve(1), new Point(1, 2)],
    ],
  },
  {
    id: "refuses-gaps-in-arrays",
    title: "holes and undefined in arrays are refused with INVALID_VALUE",
    values: () => [[undefined], [1, undefined, 2], new Array(2), Object.assign([], { 1: "behind a hole" })],
  },
  {
    id: "refuses-cycles-and-depth",
    title: "values that contain themselves or nest too deep are refused with INVALID_VALUE",
    values: () => [
      ...[cyclicObject(), cyclicArray(), { list: [{ back: cyclicObject() }] }],
      ...[nested(MAX_DEPTH + 1), nested(100_000)],
    ],
  },
]

/** Arrays and objects in turn, so many of them within one another. */
export function nested(levels: number): unknown {
  let value: unknown = levels % 2 === 0 ? {} : []
  for (let level = levels - 1; level > 0; level--) value = level % 2 === 0 ? { value } : [value]
  return value
}

class Point {
  readonly x: number
  readonly y: number

  constructor(x: number, y: number) {
    this.x = x
    this.y = y
  }
}

function cyclicObject(): object {
  const object: { self?: unknown } = {}
  object.self = object
  return object
}

function cyclicArray(): unknown[] {
  const array: unknown[] = []
  array.push(array)
  return array
}
