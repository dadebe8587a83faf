import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { compareKeys, decodeKey, encodeKey, type Key } from "./key.js"
import { isWithin, type Range, type Selection, select } from "./span.js"

// Few and awkward, so that keys, prefixes and bounds often meet.
const segment = fc.oneof(
  fc.constantFrom("a", "ab", "a\u0001", "\u0001", "日本", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 2 }).map((text) => text.replaceAll("\0", "a")),
)
const key = fc.array(segment, { minLength: 1, maxLength: 3 })
const keys = fc.uniqueArray(key, { selector: encodeKey, maxLength: 30 })
const prefixes = fc.array(fc.array(segment, { maxLength: 2 }), { maxLength: 4 })
const range = fc
  .record({
    lower: fc.constantFrom("gt", "gte", "none"),
    upper: fc.constantFrom("lt", "lte", "none"),
    low: key,
    high: key,
    reverse: fc.boolean(),
  })
  .map(
    ({ lower, upper, low, high, reverse }): Range => ({
      ...(lower === "none" ? {} : { [lower]: low }),
      ...(upper === "none" ? {} : { [upper]: high }),
      reverse,
    }),
  )

describe("select", () => {
  it("selects what lies below a prefix and within the bounds, once, in order", () => {
    fc.assert(
      fc.property(keys, prefixes, range, (stored, chosen, bounds) => {
        expect(picked(stored, select(chosen, bounds))).toEqual(expected(stored, chosen, bounds))
      }),
      { numRuns: 3000 },
    )
  })

  it("gives disjoint, non-empty spans in the direction of travel", () => {
    fc.assert(
      fc.property(prefixes, range, (chosen, bounds) => {
        const { spans, reverse } = select(chosen, bounds)
        const upwards = reverse ? spans.toReversed() : spans
        for (const [position, span] of upwards.entries()) {
          expect(isWithin(span, span.gte)).toBe(true)
          const next = upwards[position + 1]
          if (next !== undefined)
            expect(isWithin({ gte: span.lt as string, lt: undefined }, next.gte)).toBe(true)
        }
      }),
    )
  })

  it.each<[string, Key]>([
    ["a plain name", ["a"]],
    ["a non-Latin name", ["日本語"]],
    ["a surrogate pair", ["🐚"]],
    ["U+FFFF", ["\uffff"]],
    ["U+10FFFF", ["\u{10ffff}"]],
    ["U+0001", ["\u0001"]],
    ["two segments", ["a", "\uffff"]],
  ])("bounds a prefix exactly: %s", (_, prefix) => {
    const last = prefix.at(-1) as string
    const sibling = (name: string) => [...prefix.slice(0, -1), name]
    const inside = [
      [...prefix, "\u0001"],
      [...prefix, "é", "x"],
      [...prefix, "\uffff"],
      [...prefix, "\u{10ffff}"],
    ]
    const outside = [
      prefix,
      sibling(`${last}\u0001`),
      sibling(`${last}a`),
      [...sibling(`${last}\u0001`), "x"],
    ]
    expect(picked([...outside, ...inside], select([prefix], {}))).toEqual(inside.sort(compareKeys))
  })

  it("merges a prefix into one that contains it, and equal ones into one", () => {
    expect(select([["a", "b"], ["a"], ["a"], ["b"]], {}).spans).toEqual(select([["a"], ["b"]], {}).spans)
    expect(select([["a"], []], {}).spans).toEqual([{ gte: "", lt: undefined }])
  })

  it("gives no span for no prefix", () => {
    expect(select([], {}).spans).toEqual([])
  })

  it.each<[string, Range]>([
    ["below the prefix", { lt: ["m"] }],
    ["below the prefix, the prefix included", { lte: ["m"] }],
    ["above the prefix", { gte: ["n"] }],
    ["upside down", { gte: ["m", "b"], lt: ["m", "a"] }],
    ["between a key and itself", { gte: ["m", "b"], lt: ["m", "b"] }],
  ])("gives no span for bounds that lie %s", (_, bounds) => {
    expect(select([["m"]], bounds).spans).toEqual([])
  })

  it("ignores bounds that contain the whole prefix", () => {
    expect(select([["m"]], { gt: ["a"], lte: ["z"] }).spans).toEqual(select([["m"]], {}).spans)
  })

  it("includes what gte and lte name, and excludes what gt and lt name, but not its descendants", () => {
    const stored = [
      ["a", "1"],
      ["a", "1", "x"],
      ["a", "2"],
      ["a", "2", "x"],
    ]
    const within = (bounds: Range) => picked(stored, select([["a"]], bounds)).map((found) => found.join("/"))
    expect(within({ gte: ["a", "1"], lte: ["a", "2"] })).toEqual(["a/1", "a/1/x", "a/2"])
    expect(within({ gt: ["a", "1"], lt: ["a", "2"] })).toEqual(["a/1/x"])
  })

  it("travels from the last span to the first in reverse", () => {
    const { spans, reverse } = select([["a"], ["b"]], { reverse: true })
    expect(reverse).toBe(true)
    expect(spans).toEqual(select([["b"]], {}).spans.concat(select([["a"]], {}).spans))
  })

  it("has no limit unless one is given", () => {
    expect(select([["a"]], {}).limit).toBe(Number.POSITIVE_INFINITY)
    expect(select([["a"]], { limit: 0 }).limit).toBe(0)
  })

  it.each<[string, unknown]>([
    ["an unknown option", { before: ["a"] }],
    ["null for options", null],
    ["a bound that is no array", { gt: "a" }],
    ["gt beside gte", { gt: ["a"], gte: ["a"] }],
    ["lt beside lte", { lt: ["a"], lte: ["a"] }],
    ["a negative limit", { limit: -1 }],
    ["a fractional limit", { limit: 1.5 }],
    ["a limit that is not a number", { limit: Number.NaN }],
    ["a direction that is no boolean", { reverse: 1 }],
  ])("refuses %s", (_, bounds) => {
    expect(() => select([["a"]], bounds as Range)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    )
  })

  it.each<[string, unknown, Range]>([
    ["an invalid prefix", [["a", ""]], {}],
    ["a prefix that is no array", ["a"], {}],
    ["an invalid bound", [["a"]], { lt: ["\ud83d"] }],
    ["an empty bound", [["a"]], { lte: [] }],
  ])("refuses %s", (_, chosen, bounds) => {
    expect(() => select(chosen as Key[], bounds)).toThrow(expect.objectContaining({ code: "INVALID_KEY" }))
  })
})

describe("isWithin", () => {
  it("includes the start and excludes the end", () => {
    expect(isWithin({ gte: "b", lt: "d" }, "b")).toBe(true)
    expect(isWithin({ gte: "b", lt: "d" }, "c")).toBe(true)
    expect(isWithin({ gte: "b", lt: "d" }, "d")).toBe(false)
    expect(isWithin({ gte: "b", lt: "d" }, "a")).toBe(false)
  })

  it("has no end without lt", () => {
    expect(isWithin({ gte: "b", lt: undefined }, "\u{10ffff}")).toBe(true)
    expect(isWithin({ gte: "b", lt: undefined }, "a")).toBe(false)
  })

  it("compares by UTF-8 bytes", () => {
    expect(isWithin({ gte: "\uffff", lt: undefined }, "\u{10000}")).toBe(true)
    expect(isWithin({ gte: "", lt: "\uffff" }, "\u{10000}")).toBe(false)
  })
})

function picked(stored: readonly Key[], { spans, reverse }: Selection): Key[] {
  const encoded = stored.toSorted(compareKeys).map(encodeKey)
  const travelled = reverse ? encoded.reverse() : encoded
  return spans.flatMap((span) => travelled.filter((candidate) => isWithin(span, candidate))).map(decodeKey)
}

function expected(
  stored: readonly Key[],
  chosen: readonly Key[],
  { gt, gte, lt, lte, reverse }: Range,
): Key[] {
  const found = stored
    .filter((candidate) =>
      chosen.some(
        (prefix) =>
          candidate.length > prefix.length && prefix.every((name, index) => name === candidate[index]),
      ),
    )
    .filter((candidate) => gt === undefined || compareKeys(candidate, gt) > 0)
    .filter((candidate) => gte === undefined || compareKeys(candidate, gte) >= 0)
    .filter((candidate) => lt === undefined || compareKeys(candidate, lt) < 0)
    .filter((candidate) => lte === undefined || compareKeys(candidate, lte) <= 0)
    .sort(compareKeys)
  return reverse ? found.reverse() : found
}
