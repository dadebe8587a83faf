import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { findByScan } from "./find-by-scan.js"
import { type IndexDefinition, type IndexQuery, standardIndexes, type Term } from "./index-definition.js"
import { encodeKey } from "./key.js"
import { MemoryStorage } from "./memory-storage.js"
import type { Entry } from "./storage.js"
import { StorageError } from "./storage-error.js"
import type { TextEntry } from "./text-entry.js"

const byParent: IndexDefinition = {
  name: "by-parent",
  prefix: ["session"],
  keyLength: 3,
  terms: [{ value: ["parentID"] }, { value: ["time", "created"] }],
}

describe("find by scan", () => {
  it("orders by terms, then by key", async () => {
    const storage = await sessions([
      ["p", "c", { parentID: "x", time: { created: 2 } }],
      ["p", "a", { parentID: "x", time: { created: 10 } }],
      ["q", "b", { parentID: "x", time: { created: 2 } }],
      ["p", "z", { parentID: "w", time: { created: 99 } }],
      ["p", "y", {}],
    ])
    expect(await found(storage, {})).toEqual(["y", "z", "c", "b", "a"])
    expect(await found(storage, { reverse: true })).toEqual(["a", "b", "c", "z", "y"])
  })

  it("selects by leading terms, with bounds for the term behind them", async () => {
    const storage = await sessions([
      ["p", "a", { parentID: "x", time: { created: 1 } }],
      ["p", "b", { parentID: "x", time: { created: 2 } }],
      ["p", "c", { parentID: "x", time: { created: 3 } }],
      ["p", "d", { parentID: "y", time: { created: 2 } }],
    ])
    expect(await found(storage, { equals: ["x"] })).toEqual(["a", "b", "c"])
    expect(await found(storage, { equals: ["x"], gt: 1, lte: 3 })).toEqual(["b", "c"])
    expect(await found(storage, { equals: ["x"], gte: 1, lt: 3, reverse: true })).toEqual(["b", "a"])
    expect(await found(storage, { equals: ["x", 2] })).toEqual(["b"])
    expect(await found(storage, { gt: "x" })).toEqual(["d"])
    expect(await found(storage, { equals: ["nobody"] })).toEqual([])
  })

  it("counts a field that is absent, or neither string nor number, as null", async () => {
    const storage = await sessions([
      ["p", "a", {}],
      ["p", "b", { parentID: null }],
      ["p", "c", { parentID: true }],
      ["p", "d", { parentID: "" }],
    ])
    expect(await found(storage, { equals: [null] })).toEqual(["a", "b", "c"])
    expect(await found(storage, { gt: null })).toEqual(["d"])
  })

  it("gives at most as many as the limit says, from the end where it starts", async () => {
    const storage = await sessions(["a", "b", "c"].map((id) => ["p", id, { parentID: id }]))
    expect(await found(storage, { limit: 2 })).toEqual(["a", "b"])
    expect(await found(storage, { limit: 2, reverse: true })).toEqual(["c", "b"])
    expect(await found(storage, { limit: 0 })).toEqual([])
  })

  it("sees only keys below the prefix with the right number of segments", async () => {
    const storage = new MemoryStorage({ indexes: [byParent] })
    for (const key of [["session"], ["session", "p"], ["session", "p", "a", "b"], ["sessions", "p", "c"]]) {
      await storage.write(key, { parentID: "x" })
    }
    await storage.write(["session", "p", "a"], { parentID: "x" })
    expect(await found(storage, {})).toEqual(["a"])
  })

  it("gives what a scan gives, filtered and sorted", async () => {
    await fc.assert(
      fc.asyncProperty(records, queries, async (stored, { index, query }) => {
        const storage = new MemoryStorage()
        for (const { key, value } of stored) await storage.write(key, value)
        const answer = await collect(storage.find(index.name, query))
        const scanned = await collect(storage.scan<Session>(["session"]))
        expect(answer).toEqual(filteredAndSorted(scanned, index, query))
      }),
      { numRuns: 500 },
    )
  })

  it("gives records that cannot be decoded first, with their errors", async () => {
    const damaged = new StorageError("DENIED", "Cannot read")
    const entries = [
      { key: encodeKey(["session", "p", "a"]), text: '{"parentID":"x"}' },
      { key: encodeKey(["session", "p", "b"]), text: "{" },
      { key: encodeKey(["session", "p", "c"]), error: damaged },
      { key: encodeKey(["session", "other length"]), text: "{" },
    ]
    const pages = await collect(
      findByScan(inPages(entries), byParent, { equals: ["x"] }, () => "/data/b.json"),
    )
    expect(pages.flat()).toEqual([
      {
        key: encodeKey(["session", "p", "b"]),
        error: expect.objectContaining({ code: "CORRUPT", path: "/data/b.json" }),
      },
      { key: encodeKey(["session", "p", "c"]), error: damaged },
      { key: encodeKey(["session", "p", "a"]), text: '{"parentID":"x"}' },
    ])
  })
})

interface Session {
  readonly parentID?: unknown
  readonly time?: { readonly updated?: unknown; readonly created?: unknown }
}

const name = fc.constantFrom("a", "b", "é", "\uffff", "\u{10000}")
const field = fc.oneof(name, fc.integer({ min: -2, max: 2 }), fc.constantFrom(0.5, 1e300, null, true))
const optional = { requiredKeys: [] } satisfies { requiredKeys: [] }
const records = fc.uniqueArray(
  fc.record({
    key: fc.tuple(fc.constant("session"), name, name),
    value: fc.record(
      { parentID: field, time: fc.record({ updated: field, created: field }, optional) },
      optional,
    ),
  }),
  { selector: ({ key }) => encodeKey(key), maxLength: 20 },
)
const term = fc.oneof(name, fc.integer({ min: -2, max: 2 }), fc.constant(null))
const queries = fc.constantFrom(...standardIndexes).chain((index) =>
  fc
    .record({
      equals: fc.array(term, { maxLength: index.terms.length }),
      bounds: fc
        .tuple(
          fc.oneof(fc.record({ gt: term }, optional), fc.record({ gte: term }, optional)),
          fc.oneof(fc.record({ lt: term }, optional), fc.record({ lte: term }, optional)),
        )
        .map(([lower, upper]) => ({ ...lower, ...upper })),
      rest: fc.record({ limit: fc.nat(20), reverse: fc.boolean() }, optional),
    })
    .map(({ equals, bounds, rest }) => ({
      index,
      query: { equals, ...(equals.length < index.terms.length ? bounds : {}), ...rest },
    })),
)

function filteredAndSorted(
  scanned: readonly Entry<Session>[],
  index: IndexDefinition,
  { equals = [], gt, gte, lt, lte, limit, reverse }: IndexQuery,
): Entry<Session>[] {
  const selected = scanned.filter((entry) => {
    const terms = termsOf(entry, index)
    const next = terms[equals.length] as Term
    return (
      equals.every((wanted, position) => wanted === terms[position]) &&
      (gt === undefined || order(next, gt) > 0) &&
      (gte === undefined || order(next, gte) >= 0) &&
      (lt === undefined || order(next, lt) < 0) &&
      (lte === undefined || order(next, lte) <= 0)
    )
  })
  selected.sort((a, b) => {
    const [left, right] = [
      [...termsOf(a, index), ...a.key],
      [...termsOf(b, index), ...b.key],
    ]
    const differing = left.findIndex((candidate, position) => candidate !== right[position])
    return differing < 0 ? 0 : order(left[differing] as Term, right[differing] as Term)
  })
  return (reverse ? selected.reverse() : selected).slice(0, limit)
}

function termsOf({ key, value }: Entry<Session>, index: IndexDefinition): Term[] {
  const scalar = (content: unknown) =>
    typeof content === "string" || typeof content === "number" ? content : null
  if (index.name === "sessions-by-updated") return [scalar(value.time?.updated)]
  if (index.name === "sessions-by-project") return [key[1] as string, scalar(value.time?.updated)]
  return [scalar(value.parentID), scalar(value.time?.created)]
}

function order(a: Term, b: Term): number {
  const kinds = ["object", "number", "string"]
  if (typeof a !== typeof b) return kinds.indexOf(typeof a) - kinds.indexOf(typeof b)
  if (typeof a === "string") return Buffer.compare(Buffer.from(a), Buffer.from(b as string))
  return (a ?? 0) - ((b as number | null) ?? 0)
}

async function sessions(rows: readonly (readonly [string, string, Session])[]): Promise<MemoryStorage> {
  const storage = new MemoryStorage({ indexes: [byParent] })
  for (const [project, id, session] of rows) await storage.write(["session", project, id], session)
  return storage
}

async function found(storage: MemoryStorage, query: IndexQuery): Promise<(string | undefined)[]> {
  const entries = await collect(storage.find(byParent.name, query))
  return entries.map(({ key }) => key[2])
}

async function* inPages(entries: readonly TextEntry[]): AsyncGenerator<TextEntry[], void, void> {
  yield entries.slice(0, 2)
  yield entries.slice(2)
}

async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const entry of entries) collected.push(entry)
  return collected
}
