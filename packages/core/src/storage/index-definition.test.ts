import fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  compareTerms,
  type IndexDefinition,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  standardIndexes,
  type Term,
  validateQuery,
} from "./index-definition.js"
import type { Key } from "./key.js"

const byParent: IndexDefinition = {
  name: "sessions-by-parent",
  prefix: ["session"],
  keyLength: 3,
  terms: [{ value: ["parentID"] }, { value: ["time", "created"] }],
}

describe("standardIndexes", () => {
  it("order sessions by update, by project and by parent", () => {
    const session = { parentID: "ses_0", time: { created: 1, updated: 2 } }
    const terms = standardIndexes.map((index) => [
      index.name,
      indexTerms(index, ["session", "global", "ses_1"], session),
    ])
    expect(Object.fromEntries(terms)).toEqual({
      "sessions-by-updated": [2],
      "sessions-by-project": ["global", 2],
      "sessions-by-parent": ["ses_0", 1],
    })
  })
})

describe("indexTerms", () => {
  it.each<[string, Key]>([
    ["another prefix", ["message", "global", "ses_1"]],
    ["a longer name", ["sessions", "global", "ses_1"]],
    ["too few segments", ["session", "global"]],
    ["too many segments", ["session", "global", "ses_1", "a"]],
  ])("covers no key with %s", (_, key) => {
    expect(indexTerms(byParent, key, { parentID: "a" })).toBeUndefined()
  })

  it.each<[string, unknown, Term[]]>([
    ["strings and numbers as they are", { parentID: "a", time: { created: 1.5 } }, ["a", 1.5]],
    ["absent fields as null", {}, [null, null]],
    ["null as null", { parentID: null, time: null }, [null, null]],
    ["booleans as null", { parentID: true, time: { created: false } }, [null, null]],
    ["objects and arrays as null", { parentID: {}, time: { created: [1] } }, [null, null]],
    ["fields of a string as null", { time: "created" }, [null, null]],
    ["infinities as null", { time: { created: JSON.parse("1e999") } }, [null, null]],
    ["a value that is an array as nulls", ["a", 1], [null, null]],
    ["a value that is no object as nulls", "text", [null, null]],
    ["a value that is null as nulls", null, [null, null]],
  ])("takes %s", (_, value, terms) => {
    expect(indexTerms(byParent, ["session", "global", "ses_1"], value)).toEqual(terms)
  })

  it("does not take what a value inherits for a field", () => {
    const index = { ...byParent, terms: [{ value: ["__proto__", "length"] }] }
    expect(indexTerms(index, ["session", "global", "ses_1"], [1, 2])).toEqual([null])
  })

  it("takes null for a segment that the key does not have", () => {
    expect(indexTerms({ ...byParent, terms: [{ key: 7 }] }, ["session", "global", "ses_1"], {})).toEqual([
      null,
    ])
  })
})

describe("compareTerms", () => {
  const term = fc.oneof(
    fc.constant(null),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.string({ unit: "binary" }),
  )

  it("puts null first, then numbers by value, then strings by UTF-8 bytes", () => {
    const ordered = [
      null,
      -1e300,
      -1,
      0,
      1e-9,
      9,
      10,
      1e300,
      "",
      "10",
      "9",
      "Z",
      "a",
      "é",
      "\uffff",
      "\u{10000}",
    ]
    expect(ordered.toReversed().sort(compareTerms)).toEqual(ordered)
  })

  it("is antisymmetric, and zero only for equal terms", () => {
    fc.assert(
      fc.property(term, term, (a, b) => {
        expect(Math.sign(compareTerms(a, b)) + Math.sign(compareTerms(b, a))).toBe(0)
        expect(compareTerms(a, b) === 0).toBe(a === b)
      }),
    )
  })
})

describe("matchesQuery", () => {
  it.each<[IndexQuery, Term[], boolean]>([
    [{}, ["a", 1], true],
    [{ equals: [] }, ["a", 1], true],
    [{ equals: ["a"] }, ["a", 1], true],
    [{ equals: ["a"] }, ["b", 1], false],
    [{ equals: ["1"] }, [1, 1], false],
    [{ equals: [null] }, [null, 1], true],
    [{ equals: [null] }, ["", 1], false],
    [{ equals: ["a", 1] }, ["a", 1], true],
    [{ equals: ["a", 1] }, ["a", 2], false],
    [{ equals: ["a"], gt: 1 }, ["a", 1], false],
    [{ equals: ["a"], gt: 1 }, ["a", 2], true],
    [{ equals: ["a"], gte: 1 }, ["a", 1], true],
    [{ equals: ["a"], gte: 1 }, ["a", 0], false],
    [{ equals: ["a"], lt: 1 }, ["a", 1], false],
    [{ equals: ["a"], lt: 1 }, ["a", 0], true],
    [{ equals: ["a"], lte: 1 }, ["a", 1], true],
    [{ equals: ["a"], lte: 1 }, ["a", 2], false],
    [{ equals: ["a"], gt: 0, lt: 9 }, ["a", 5], true],
    [{ equals: ["a"], gt: 0, lt: 9 }, ["b", 5], false],
    [{ gt: null }, [null, 1], false],
    [{ gt: null }, [0, 1], true],
    [{ lt: 1 }, [null, 1], true],
    [{ gte: 1 }, ["a", 1], true],
  ])("of %j and %j is %s", (query, terms, expected) => {
    expect(matchesQuery(query, terms)).toBe(expected)
  })
})

describe("validateQuery", () => {
  it.each<[IndexQuery]>([
    [{}],
    [{ equals: ["a", 1] }],
    [{ equals: ["a"], gte: 1, lt: 2, limit: 0, reverse: true, onCorrupt: () => undefined }],
    [{ equals: [null], gt: null }],
    [{ equals: undefined, gt: undefined }],
  ])("accepts %j", (query) => {
    expect(() => validateQuery(byParent, query)).not.toThrow()
  })

  it.each<[string, unknown]>([
    ["null", null],
    ["an unknown option", { equal: ["a"] }],
    ["equals that is no array", { equals: "a" }],
    ["a term that is a boolean", { equals: [true] }],
    ["a term that is undefined", { equals: [undefined] }],
    ["a term that is NaN", { gt: Number.NaN }],
    ["a term that is infinite", { lt: Number.POSITIVE_INFINITY }],
    ["a term that is an object", { gte: {} }],
    ["more terms than the index has", { equals: ["a", 1, 2] }],
    ["a bound behind the last term", { equals: ["a", 1], lte: 2 }],
    ["gt with gte", { gt: 1, gte: 1 }],
    ["lt with lte", { lt: 1, lte: 1 }],
    ["a negative limit", { limit: -1 }],
    ["a direction that is no boolean", { reverse: "yes" }],
    ["onCorrupt that is no function", { onCorrupt: true }],
  ])("refuses %s", (_, query) => {
    expect(() => validateQuery(byParent, query as IndexQuery)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    )
  })
})
