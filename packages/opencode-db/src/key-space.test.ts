import { join } from "node:path"
import { compareUtf8, encodeKey, isWithin, type Key, MemoryStorage, type Range } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { expect, test } from "vitest"
import { intersection, sections } from "./key-space.js"
import { OpencodeStorage } from "./opencode-storage.js"
import { gather, gatherPages } from "./testing/gather.js"

test("the sections cover all keys, in order, without overlap", () => {
  for (const [index, { span }] of sections.entries()) {
    expect(span.gte).toBe(index === 0 ? "" : sections[index - 1]?.span.lt)
    if (span.lt !== undefined) expect(compareUtf8(span.gte, span.lt)).toBeLessThan(0)
  }
  expect(sections.at(-1)?.span.lt).toBeUndefined()
})

test("an intersection holds what both spans hold", () => {
  const bound = fc.string({ maxLength: 2, unit: fc.constantFrom("a", "b", "\0") })
  const span = fc.record({ gte: bound, lt: fc.option(bound, { nil: undefined }) })
  fc.assert(
    fc.property(span, span, bound, (a, b, key) => {
      const common = intersection(a, b)
      expect(common !== undefined && isWithin(common, key)).toBe(isWithin(a, key) && isWithin(b, key))
    }),
  )
})

const ids = ["a", "ab", "b", "\u00e9", "\uffee", "\u{1f389}"]
const keys: Key[] = [
  ...ids.map((id) => ["project", id]),
  ...ids.slice(0, 3).flatMap((owner) => ids.map((id) => ["session", owner, `${owner}${id}`])),
  ...ids.flatMap((id) => ["1", "2", "\u{1f389}"].map((suffix) => ["message", `a${id}`, `${id}${suffix}`])),
  ...ids.map((id) => ["part", `${id}1`, `p${id}`]),
  ...ids.map((id) => ["todo", `b${id}`]),
  ...ids.map((id) => ["session_share", `a${id}`]),
  ...ids.map((id) => ["session_diff", id]),
  ["aaa", "first"],
  ["messages", "x", "y"],
  ["zzz", "last"],
]

test("lists and scans are those of MemoryStorage, whatever the range", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  await using storage = await OpencodeStorage.open({ path: join(folder.path, "opencode.db"), create: true })
  await using memory = new MemoryStorage()
  const records = keys.map((key) => ({ key: encodeKey(key), text: key[0] === "todo" ? "[{}]" : "{}" }))
  expect(await storage.addTexts(records)).toEqual(records.map(() => undefined))
  for (const entry of await gather(storage.scan([]))) await memory.write(entry.key, entry.value)
  expect(await memory.list([])).toHaveLength(keys.length)

  const key = fc.oneof(
    fc.constantFrom(...keys),
    fc.array(fc.constantFrom("session", "message", ...ids), { minLength: 1 }),
  )
  const prefix = fc.oneof(
    fc.constant<Key>([]),
    key,
    key.map((whole) => whole.slice(0, 2)),
    key.map((whole) => whole.slice(0, 1)),
  )
  const range: fc.Arbitrary<Range> = fc.record(
    { reverse: fc.boolean(), limit: fc.nat(20), gt: key, lte: key },
    { requiredKeys: [] },
  )
  await fc.assert(
    fc.asyncProperty(fc.array(prefix, { minLength: 1, maxLength: 3 }), range, async (prefixes, options) => {
      expect(await gather(storage.scanMany(prefixes, options))).toEqual(
        await gather(memory.scanMany(prefixes, options)),
      )
      const [first = []] = prefixes
      expect(await storage.list(first, options)).toEqual(await memory.list(first, options))
    }),
    { numRuns: 150 },
  )
})

test("pages have borders that no record falls through, in both directions", { timeout: 60_000 }, async () => {
  await using folder = await temporaryFolder()
  await using storage = await OpencodeStorage.open({ path: join(folder.path, "opencode.db"), create: true })
  const expected = Array.from({ length: 1_201 }, (_, index) => [
    "message",
    "ses_a",
    String(index).padStart(5, "0"),
  ])
  const big = { text: "x".repeat(5_000_000) }
  await storage.addTexts(
    expected.map((key, index) => ({ key: encodeKey(key), text: JSON.stringify(index === 600 ? big : {}) })),
  )
  expect(await storage.list(["message"])).toEqual(expected)
  expect(await storage.list(["message"], { reverse: true })).toEqual(expected.toReversed())
  const scanned = await gatherPages(storage.scanTexts({ prefixes: [["message"]] }))
  expect(scanned.map(({ key }) => key)).toEqual(expected.map(encodeKey))
})

test("shares are disjoint, and together they are everything", async () => {
  await using folder = await temporaryFolder()
  await using storage = await OpencodeStorage.open({ path: join(folder.path, "opencode.db"), create: true })
  await storage.addTexts(
    keys.map((key) => ({ key: encodeKey(key), text: key[0] === "todo" ? "[{}]" : "{}" })),
  )
  const shares = await Promise.all(
    [0, 1, 2].map((index) => gatherPages(storage.scanTexts({ share: { index, count: 3 } }))),
  )
  const all = await gatherPages(storage.scanTexts())
  expect(shares.flat().sort((a, b) => compareUtf8(a.key, b.key))).toEqual(all)
  expect(all).toHaveLength(keys.length)
})
