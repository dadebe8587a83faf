import type { Key, Operation } from "@sessile/core/storage"
import fc from "fast-check"

/** One random thing to do with a store. */
export type Step =
  | { readonly do: "read"; readonly key: Key }
  | { readonly do: "write"; readonly key: Key; readonly value: unknown }
  | { readonly do: "update"; readonly key: Key; readonly add: number }
  | { readonly do: "remove"; readonly key: Key }
  | { readonly do: "list"; readonly prefix: Key; readonly range: StepRange }
  | { readonly do: "scan"; readonly prefixes: readonly Key[]; readonly range: StepRange }
  | { readonly do: "batch"; readonly operations: readonly Operation[] }
  | { readonly do: "reopen" }

/** A range that is valid for every store. */
export interface StepRange {
  readonly gt?: Key
  readonly gte?: Key
  readonly lt?: Key
  readonly lte?: Key
  readonly limit?: number
  readonly reverse?: boolean
}

// Few, so that keys meet again, and chosen to be confused with one another.
const segment = fc.constantFrom(
  "a",
  "b",
  "ab",
  "a!",
  "a.json",
  "..",
  "%2E",
  "é",
  "日本",
  "\u{1F389}",
  "\uFFFD",
  "z z",
)
const key = fc.array(segment, { minLength: 1, maxLength: 3 })
const prefix = fc.array(segment, { maxLength: 2 })
const value = fc.oneof(
  fc.record({ count: fc.integer(), text: fc.string({ unit: "grapheme" }) }),
  fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json))),
)

const range: fc.Arbitrary<StepRange> = fc
  .tuple(
    fc.constantFrom("gt", "gte", undefined),
    key,
    fc.constantFrom("lt", "lte", undefined),
    key,
    fc.option(fc.nat(4), { nil: undefined }),
    fc.boolean(),
  )
  .map(([lower, from, upper, to, limit, reverse]) => ({
    ...(lower === undefined ? {} : { [lower]: from }),
    ...(upper === undefined ? {} : { [upper]: to }),
    ...(limit === undefined ? {} : { limit }),
    ...(reverse ? { reverse } : {}),
  }))

const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: fc.constant("write" as const), key, value }),
  fc.record({ type: fc.constant("remove" as const), key }),
)

/** Up to so many random steps; with `reopening` only for stores that can be opened again. */
export function stepsOf(most: number, reopening: boolean): fc.Arbitrary<Step[]> {
  const step: fc.Arbitrary<Step> = fc.oneof(
    { weight: 6, arbitrary: fc.record({ do: fc.constant("write" as const), key, value }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("update" as const), key, add: fc.integer() }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("remove" as const), key }) },
    { weight: 3, arbitrary: fc.record({ do: fc.constant("read" as const), key }) },
    { weight: 2, arbitrary: fc.record({ do: fc.constant("list" as const), prefix, range }) },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("scan" as const),
        prefixes: fc.array(prefix, { maxLength: 3 }),
        range,
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant("batch" as const),
        operations: fc.array(operation, { maxLength: 5 }),
      }),
    },
    { weight: reopening ? 1 : 0, arbitrary: fc.constant({ do: "reopen" as const }) },
  )
  return fc.array(step, { maxLength: most, size: "max" })
}
