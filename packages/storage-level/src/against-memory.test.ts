import { type IndexQuery, type Key, MemoryStorage, type Storage, type Term } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import fc from "fast-check"
import { expect, test } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"

type Step =
  | { readonly type: "write"; readonly key: Key; readonly value: unknown }
  | { readonly type: "update"; readonly key: Key; readonly field: unknown }
  | { readonly type: "remove"; readonly key: Key }
  | { readonly type: "batch"; readonly operations: Parameters<Storage["batch"]>[0] }

// Few enough that keys and terms meet; characters on either side of the surrogates.
const segments = fc.constantFrom("a", "ab", "\u0001", "é", "\uffff", "\u{10ffff}")
const keys: fc.Arbitrary<Key> = fc.oneof(
  { weight: 8, arbitrary: fc.tuple(fc.constant("session"), segments, segments) },
  fc.tuple(fc.constantFrom("session", "message"), segments),
  fc.tuple(fc.constant("message"), segments, segments),
)
const terms: fc.Arbitrary<Term> = fc.oneof(
  fc.constantFrom(null, 0, -1, 1.5, -1e300, "", "a", "a\0", "ab", "\uffff", "\u{10ffff}", "\ud800"),
  fc.integer({ min: -3, max: 3 }),
)
const fields = fc.oneof({ weight: 6, arbitrary: terms }, fc.constantFrom<unknown>(true, [1], {}))
const values = fc.record(
  { parentID: fields, time: fc.record({ created: fields, updated: fields }, { requiredKeys: [] }) },
  { requiredKeys: [] },
)
const writes = fc.record({ type: fc.constant("write" as const), key: keys, value: values })
const removals = fc.record({ type: fc.constant("remove" as const), key: keys })
const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: writes },
  { weight: 2, arbitrary: fc.record({ type: fc.constant("update" as const), key: keys, field: fields }) },
  removals,
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant("batch" as const),
      operations: fc.array(fc.oneof({ weight: 2, arbitrary: writes }, removals), { maxLength: 8 }),
    }),
  },
)
const queries: fc.Arbitrary<IndexQuery> = fc
  .record(
    {
      equals: fc.array(terms, { maxLength: 1 }),
      lower: fc.tuple(fc.constantFrom("gt", "gte"), terms),
      upper: fc.tuple(fc.constantFrom("lt", "lte"), terms),
      limit: fc.nat({ max: 5 }),
      reverse: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  .map(({ lower, upper, ...query }) => ({
    ...query,
    ...Object.fromEntries([lower, upper].filter(Boolean) as []),
  }))
const names = fc.constantFrom("sessions-by-project", "sessions-by-parent")

test("whatever is done, find and scan give the same as in memory", { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(steps, { minLength: 5, maxLength: 30 }),
      fc.array(fc.tuple(names, queries), { minLength: 5, maxLength: 10 }),
      async (sequence, questions) => {
        await using folder = await temporaryFolder()
        await using level = await LevelStorage.open({ path: folder.path })
        await using memory = new MemoryStorage()
        for (const step of sequence) {
          await carryOut(step, memory)
          await carryOut(step, level)
        }
        expect(await gather(level.scan([]))).toEqual(await gather(memory.scan([])))
        expect(await gather(level.find("sessions-by-updated"))).toEqual(
          await gather(memory.find("sessions-by-updated")),
        )
        for (const [name, query] of questions) {
          const expected = await gather(memory.find(name, query))
          expect(await gather(level.find(name, query)), JSON.stringify([name, query])).toEqual(expected)
        }
      },
    ),
    { numRuns: 150 },
  )
})

async function carryOut(step: Step, storage: Storage): Promise<void> {
  if (step.type === "write") return storage.write(step.key, step.value)
  if (step.type === "remove") return storage.remove(step.key)
  if (step.type === "batch") return storage.batch(step.operations)
  const present = (await storage.list([])).some((key) => key.join("\0") === step.key.join("\0"))
  if (!present) return
  await storage.update<{ parentID: unknown; time: unknown }>(step.key, (draft) => {
    draft.parentID = step.field
    draft.time = { updated: step.field }
  })
}
