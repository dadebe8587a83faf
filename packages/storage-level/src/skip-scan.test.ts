import { compareUtf8 } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { Level } from "level"
import { afterEach, expect, test, vi } from "vitest"
import type { Database } from "./database.js"
import type { KeyRange } from "./layout.js"
import { skipScan } from "./skip-scan.js"
import { gather } from "./testing/gather.js"

afterEach(() => {
  vi.restoreAllMocks()
})

// Few enough that keys and bounds meet; characters on either side of the surrogates.
const keys = fc
  .array(fc.constantFrom("a", "b", "\u0001", "é", "\uffff", "\u{10ffff}"), { minLength: 1, maxLength: 3 })
  .map((characters) => characters.join(""))
const bounds = fc.record({ key: keys, starts: fc.boolean() })
const texts = fc.constantFrom("", "text", "x".repeat(150_000))

test("whatever the ranges, entries are those that a filter selects", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  await using database: Database = new Level(folder.path) as Database
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(keys, texts, { maxKeys: 60, noNullPrototype: true }),
      fc.uniqueArray(bounds, { maxLength: 30, selector: ({ key }) => key }).map(rangesOf),
      fc.boolean(),
      fc.constantFrom(1, 2, 20, 200),
      async (records, ranges, reverse, size) => {
        const entries = Object.entries(records).sort(([a], [b]) => compareUtf8(a, b))
        await database.clear()
        await database.batch(entries.map(([key, value]) => ({ type: "put", key, value })))
        const expected = entries.filter(([key]) => ranges.some((range) => isWithin(range, key)))
        const scan = skipScan(database, inDirection(ranges, reverse), { reverse, size })
        expect((await gather(scan)).flat()).toEqual(reverse ? expected.reverse() : expected)
      },
    ),
    { numRuns: 300 },
  )
})

test("no ranges give nothing", async () => {
  await using folder = await temporaryFolder()
  await using database = await numbered(folder.path, 3)
  expect(await gather(skipScan(database, [], { reverse: false, size: 200 }))).toEqual([])
})

test.each([false, true])("all that comes is of the first step (reverse: %s)", async (reverse) => {
  await using folder = await temporaryFolder()
  await using database = await numbered(folder.path, 1000)
  const ranges = everyNth(50, 3, 1000)
  const expected = await gather(skipScan(database, inDirection(ranges, reverse), { reverse, size: 4 }))
  const scan = skipScan(database, inDirection(ranges, reverse), { reverse, size: 4 })
  const { value: first } = await scan.next()
  await database.batch(
    ranges.flatMap(({ gte }) => [
      { type: "put", key: gte, value: "changed" },
      { type: "put", key: `${gte}+`, value: "new" },
    ]),
  )
  await database.clear({ gte: name(400), lt: name(600) })
  expect([first, ...(await gather(scan))]).toEqual(expected)
})

test.each([false, true])("close ranges are read without a leap (reverse: %s)", async (reverse) => {
  await using folder = await temporaryFolder()
  await using database = await numbered(folder.path, 1000)
  const { nextv, seek } = watchIterators(database)
  const ranges = inDirection(everyNth(5, 5, 1000), reverse)
  const pages = await gather(skipScan(database, ranges, { reverse, size: 200 }))
  expect(pages.flat()).toHaveLength(1000)
  expect(seek).not.toHaveBeenCalled()
  expect(nextv.mock.calls.map(([size]) => size)).toEqual([16, 32, 64, 128, 200, 200, 200, 200, 200])
})

test.each([false, true])(
  "of what lies between distant ranges little is read (reverse: %s)",
  async (reverse) => {
    await using folder = await temporaryFolder()
    await using database = await numbered(folder.path, 1000)
    const { iterator, seek } = watchIterators(database)
    const ranges = inDirection(everyNth(100, 2, 1000), reverse)
    const pages = await gather(skipScan(database, ranges, { reverse, size: 200 }))
    expect(pages.flat()).toHaveLength(20)
    expect(seek).toHaveBeenCalledTimes(9)
    expect(iterator.mock.results[0]?.value.count).toBeLessThanOrEqual(10 * 16)
  },
)

test("a single range is read in the largest portions from the start", async () => {
  await using folder = await temporaryFolder()
  await using database = await numbered(folder.path, 500)
  const { nextv } = watchIterators(database)
  await gather(skipScan(database, [{ gte: "", lt: "~" }], { reverse: false, size: 200 }))
  expect(nextv.mock.calls.map(([size]) => size)).toEqual([200, 200, 200, 200])
})

test("an iteration that is broken off lets go of its iterator", async () => {
  await using folder = await temporaryFolder()
  await using database = await numbered(folder.path, 500)
  const { iterator } = watchIterators(database)
  for await (const _ of skipScan(database, everyNth(5, 5, 500), { reverse: false, size: 200 })) break
  await expect(iterator.mock.results[0]?.value.nextv(1)).rejects.toMatchObject({
    code: "LEVEL_ITERATOR_NOT_OPEN",
  })
})

/** A database with `count` entries under keys in the order of their numbers. */
async function numbered(path: string, count: number): Promise<Database> {
  const database: Database = new Level(path) as Database
  await database.batch(
    Array.from({ length: count }, (_, number) => ({ type: "put", key: name(number), value: String(number) })),
  )
  return database
}

function name(number: number): string {
  return String(number).padStart(4, "0")
}

/** Ranges of `length` numbers, `distance` apart from start to start. */
function everyNth(distance: number, length: number, end: number): KeyRange[] {
  return Array.from({ length: end / distance }, (_, index) => ({
    gte: name(index * distance),
    lt: name(index * distance + length),
  }))
}

function inDirection(ranges: readonly KeyRange[], reverse: boolean): KeyRange[] {
  return reverse ? ranges.toReversed() : [...ranges]
}

/** Disjoint ranges in order, from each bound that starts one to the bound after it. */
function rangesOf(bounds: readonly { readonly key: string; readonly starts: boolean }[]): KeyRange[] {
  const sorted = bounds.toSorted((a, b) => compareUtf8(a.key, b.key))
  return sorted.flatMap(({ key, starts }, position) => {
    const next = sorted[position + 1]
    return starts && next ? [{ gte: key, lt: next.key }] : []
  })
}

function isWithin({ gte, lt }: KeyRange, key: string): boolean {
  return compareUtf8(key, gte) >= 0 && compareUtf8(key, lt) < 0
}

/** What is asked of the iterators of a database from now on. */
function watchIterators(database: Database) {
  const iterator = vi.spyOn(database, "iterator")
  const prototype = Object.getPrototypeOf(database.iterator())
  iterator.mockClear()
  return { iterator, nextv: vi.spyOn(prototype, "nextv"), seek: vi.spyOn(prototype, "seek") }
}
