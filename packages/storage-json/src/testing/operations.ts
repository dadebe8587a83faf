import type { Key, Operation, Range, Storage } from "@sessile/core/storage"
import fc from "fast-check"
import { gather } from "./gather.js"
import { nastySegments } from "./nasty-segments.js"

/** Something to do with a store; it gives what the store gave. */
export interface Step {
  readonly description: string
  run(storage: Storage): Promise<unknown>
}

// Few enough that keys meet, none that share a file where letter case does not matter.
const segments = fc.constantFrom(
  "a",
  "b",
  "ab",
  "session",
  "a.json",
  "con",
  "..",
  "%",
  "é",
  "\u{10ffff}",
  "\uffff",
)
const nasty = fc.constantFrom(...nastySegments.filter((segment) => segment !== "A.JSON" && segment !== "%2e"))
const validKeys = fc.array(fc.oneof({ weight: 5, arbitrary: segments }, nasty), {
  minLength: 1,
  maxLength: 3,
})
const invalidKeys = fc.constantFrom<Key>([], ["a", ""], ["a\0b"], ["\ud800"], [".."].concat(""))
const keys: fc.Arbitrary<Key> = fc.oneof({ weight: 20, arbitrary: validKeys }, invalidKeys)

const values = fc.oneof(
  { weight: 20, arbitrary: fc.record({ count: fc.nat(), text: fc.string({ unit: "binary" }) }) },
  { weight: 5, arbitrary: fc.jsonValue() },
  fc.constantFrom<unknown>(undefined, Number.NaN, new Date(0), { nested: [Symbol.iterator] }),
)

const prefixes = fc.oneof(fc.constant<Key>([]), fc.array(segments, { minLength: 1, maxLength: 2 }), keys)

const ranges: fc.Arbitrary<Range> = fc
  .record(
    { gt: keys, gte: keys, lt: keys, lte: keys, limit: fc.nat({ max: 6 }), reverse: fc.boolean() },
    { requiredKeys: [] },
  )
  // Mostly one bound at either end, so that most ranges make sense.
  .map(({ gt, lt, ...range }) => ({
    ...range,
    ...(range.gte === undefined && gt && { gt }),
    ...(range.lte === undefined && lt && { lt }),
  }))

const operations: fc.Arbitrary<Operation[]> = fc.array(
  fc.oneof(
    fc.record({ type: fc.constant("write" as const), key: keys, value: values }),
    fc.record({ type: fc.constant("remove" as const), key: keys }),
  ),
  { maxLength: 5 },
)

const writes = fc
  .tuple(keys, values)
  .map(([key, value]) => step("write", [key, value], (storage) => storage.write(key, value)))

const updates = fc.tuple(keys, fc.constantFrom("count", "spoil", "throw")).map(([key, edit]) =>
  step("update", [key, edit], (storage) =>
    storage.update<unknown>(key, (draft) => {
      if (edit === "throw") throw new RangeError("in the editor")
      if (typeof draft !== "object" || draft === null) return
      Object.assign(draft, { edited: edit === "spoil" ? Number.NaN : true })
    }),
  ),
)

const reads = keys.map((key) => step("read", [key], (storage) => storage.read(key)))
const removals = keys.map((key) => step("remove", [key], (storage) => storage.remove(key)))
const batches = operations.map((list) => step("batch", [list], (storage) => storage.batch(list)))

const lists = fc
  .tuple(prefixes, ranges)
  .map(([prefix, range]) => step("list", [prefix, range], (storage) => storage.list(prefix, range)))

const scans = fc
  .tuple(fc.array(prefixes, { maxLength: 3 }), ranges)
  .map(([list, range]) => step("scanMany", [list, range], (storage) => gather(storage.scanMany(list, range))))

/** Any call of the storage contract, with keys that meet, and now and then with what is to be refused. */
export const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: writes },
  { weight: 2, arbitrary: updates },
  { weight: 2, arbitrary: batches },
  removals,
  reads,
  { weight: 2, arbitrary: lists },
  { weight: 2, arbitrary: scans },
)

function step(name: string, parameters: unknown[], run: Step["run"]): Step {
  const description = `${name}(${parameters.map((parameter) => fc.stringify(parameter)).join(", ")})`
  return { description, run, toString: () => description } as Step
}
