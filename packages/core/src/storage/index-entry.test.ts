import fc from "fast-check"
import { expect, test } from "vitest"
import {
  compareTerms,
  type IndexDefinition,
  type IndexQuery,
  matchesQuery,
  type Term,
} from "./index-definition.js"
import { entryRange, indexEntries, indexEntry, isIndexed, keyOfEntry } from "./index-entry.js"
import { compareUtf8, encodeKey } from "./key.js"

const index: IndexDefinition = {
  name: "by-a-and-b",
  prefix: ["x"],
  keyLength: 2,
  terms: [{ value: ["a"] }, { value: ["b"] }],
}
const term: fc.Arbitrary<Term> = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.integer(),
  fc.string({ unit: "binary", maxLength: 4 }),
  fc.constantFrom("", "\0", "\0\0", "a\0", "a\0b", "\ud800", "\ue000", "\uffff", "\u{1F389}"),
)
const key = fc.constantFrom("x\0a", "x\0b", "x\0é", "x\0\u{1F389}")

test("entries are in the order of their terms, then of their keys", () => {
  fc.assert(
    fc.property(term, term, key, term, term, key, (a, b, c, d, e, f) => {
      const order = Buffer.compare(indexEntry(index, [a, b], c), indexEntry(index, [d, e], f))
      expect(Math.sign(order)).toBe(Math.sign(compareTerms(a, d) || compareTerms(b, e) || compareUtf8(c, f)))
    }),
    { numRuns: 2_000 },
  )
})

test("an entry gives its key back, however short that is and whatever the terms", () => {
  const segment = fc
    .string({ unit: "grapheme", minLength: 1, maxLength: 3 })
    .filter((text) => !text.includes("\0"))
  const anyKey = fc.array(segment, { minLength: 1, maxLength: 3 }).map(encodeKey)
  fc.assert(
    fc.property(
      fc.array(term, { maxLength: 3 }),
      fc.oneof(key, anyKey, fc.constant("k")),
      (terms, encoded) => {
        const covering = { ...index, prefix: [], terms: terms.map((_, position) => ({ key: position })) }
        expect(keyOfEntry(covering, indexEntry(covering, terms, encoded))).toBe(encoded)
      },
    ),
    { numRuns: 2_000 },
  )
})

test("an entry that was damaged gives some key or is CORRUPT, and never fails otherwise", () => {
  const damage = fc.record({ position: fc.nat(200), byte: fc.nat(255), length: fc.nat(60) })
  fc.assert(
    fc.property(term, term, key, damage, (a, b, c, { position, byte, length }) => {
      const entry = Buffer.from(indexEntry(index, [a, b], c))
      entry[position % entry.length] = byte
      try {
        expect(keyOfEntry(index, entry.subarray(0, length))).toBeTypeOf("string")
      } catch (error) {
        expect(error).toMatchObject({ code: "CORRUPT" })
      }
    }),
    { numRuns: 2_000 },
  )
})

test("the range of a query holds the entries that it matches, and no others", () => {
  const bound = fc.constantFrom("gt", "gte", "lt", "lte")
  fc.assert(
    fc.property(
      fc.array(term, { maxLength: 1 }),
      bound,
      term,
      term,
      term,
      key,
      (equals, name, limit, a, b, c) => {
        const query: IndexQuery = { equals, [name]: limit }
        const { gte, lt } = entryRange(index, query)
        const entry = indexEntry(index, [a, b], c)
        const within = Buffer.compare(entry, gte) >= 0 && Buffer.compare(entry, lt) < 0
        expect(within).toBe(matchesQuery(query, [a, b]))
      },
    ),
    { numRuns: 2_000 },
  )
})

test("entries of different indexes do not mix", () => {
  const other = { ...index, name: "by-a-and-b-too" }
  const { gte, lt } = entryRange(index, {})
  const entry = indexEntry(other, ["a", 1], "x\0a")
  expect(Buffer.compare(entry, gte) >= 0 && Buffer.compare(entry, lt) < 0).toBe(false)
})

test("a record has an entry in each index that covers its key", () => {
  expect(indexEntries([index], "x\0a", '{"a":1}')).toEqual([indexEntry(index, [1, null], "x\0a")])
  expect(indexEntries([index], "x\0a\0b", '{"a":1}')).toEqual([])
  expect(isIndexed([index], "x\0a")).toBe(true)
  expect(isIndexed([index], "y\0a")).toBe(false)
  expect(isIndexed([{ ...index, prefix: [] }], "y\0a")).toBe(true)
})

test("a damaged record has an entry without fields", () => {
  expect(indexEntries([index], "x\0a", "{")).toEqual([indexEntry(index, [null, null], "x\0a")])
})
