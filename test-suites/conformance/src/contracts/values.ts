import { inspect } from "node:util"
import { type Key, MAX_DEPTH, type Storage } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat } from "../assertions.js"
import type { Contract } from "../contract.js"
import { show } from "../show.js"
import { entriesOf } from "./records.js"
import { invalidValues, nested, validValues } from "./sample-values.js"
import { expectContents, expectSuccess } from "./store-contents.js"

const SECRET = "sk-this-must-not-be-told"

/** What comes back of the values that are written, and which are refused. */
export const valueContracts: readonly Contract[] = [
  ...validValues.map(
    ({ id, title, values }): Contract => ({
      id: `read-write/${id}`,
      title,
      check: ({ storage }) => expectKept(storage, values, values),
    }),
  ),
  {
    id: "read-write/minus-zero",
    title: "minus zero becomes zero",
    check: ({ storage }) => expectKept(storage, [-0, { list: [-0] }], [0, { list: [0] }]),
  },
  {
    id: "read-write/undefined-properties-left-out",
    title: "properties that are undefined are left out",
    check: async ({ storage }) => {
      const written = [
        { a: undefined },
        { a: 1, b: undefined, c: { d: undefined, e: null } },
        [{ a: undefined, b: 1 }],
      ]
      await expectKept(storage, written, [{}, { a: 1, c: { e: null } }, [{ b: 1 }]])
    },
  },
  {
    id: "read-write/shared-references",
    title: "a value may hold the same object several times",
    check: async ({ storage }) => {
      const shared = { a: [1] }
      await expectKept(
        storage,
        [{ first: shared, second: shared, list: [shared, shared.a, shared.a] }],
        [{ first: { a: [1] }, second: { a: [1] }, list: [{ a: [1] }, [1], [1]] }],
      )
    },
  },
  {
    id: "read-write/large-value",
    title: "a value of ten megabytes comes back whole",
    check: async ({ storage }) => {
      const lines = Array.from({ length: 100_000 }, (_, number) => `${number} ${"0123456789é漢😀".repeat(5)}`)
      const value = { text: lines.join("\n"), end: true }
      await expectKept(storage, [value], [value])
    },
  },
  {
    id: "read-write/deep-nesting",
    title: `values may nest ${MAX_DEPTH} levels deep`,
    check: async ({ storage }) => {
      const values = [nested(100), nested(MAX_DEPTH - 1), nested(MAX_DEPTH)]
      await expectKept(storage, values, values)
    },
  },
  ...invalidValues.map(
    ({ id, title, values }): Contract => ({
      id: `read-write/${id}`,
      title: `${title}, before anything changes`,
      check: async ({ storage }) => {
        const before = [{ key: ["old"], value: { kept: true } }]
        await storage.write(["old"], { kept: true })
        for (const value of values().flatMap(inEveryPlace)) {
          for (const key of [["old"], ["new"], ["old", "below"]]) {
            const problem = `write did not refuse ${show(value)}`
            await expectRejection(() => storage.write(key, value), "INVALID_VALUE", problem, key)
          }
          await expectContents(storage, before, "A value that was refused changed the store")
        }
      },
    }),
  ),
  {
    id: "read-write/errors-keep-secrets",
    title: "the error for an invalid value holds nothing of its content",
    check: async ({ storage }) => {
      const key = ["old"]
      await storage.write(key, { token: SECRET })
      for (const broken of secretiveValues()) {
        const secretive = { token: SECRET, broken }
        const errors = [
          await refusal(() => storage.write(key, secretive), key),
          await refusal(() => storage.batch([{ type: "write", key, value: secretive }]), key),
          await refusal(() => storage.update<object>(key, (draft) => Object.assign(draft, secretive)), key),
        ]
        for (const error of errors) {
          const told = inspect(error, { depth: 10, maxStringLength: null })
          expectThat(!told.includes(SECRET), "The error for an invalid value contains a part of it", key)
        }
      }
    },
  },
]

async function expectKept(
  storage: Storage,
  written: readonly unknown[],
  expected: readonly unknown[],
): Promise<void> {
  const keys: Key[] = written.map((_, number) => ["value", String(number).padStart(3, "0")])
  for (const [index, key] of keys.entries()) {
    await expectSuccess(() => storage.write(key, written[index]), "A valid value was refused", key)
    const read = await expectSuccess(() => storage.read(key), "What was written could not be read", key)
    expectSame(read, expected[index], "read gave another value than was written", key)
  }
  const found = await entriesOf(storage.scan([]))
  for (const [index, key] of keys.entries()) {
    expectSame(found[index]?.value, expected[index], "scan gave another value than was written", key)
  }
}

function inEveryPlace(value: unknown): unknown[] {
  const places = [value, [value], { list: [{ a: 1 }, [value]] }]
  // As a property, undefined is left out.
  return value === undefined ? places : [...places, { property: value, other: 1 }]
}

function secretiveValues(): unknown[] {
  const cyclic: Record<string, unknown> = { token: SECRET }
  cyclic.self = cyclic
  return [
    Number.NaN,
    Symbol(SECRET),
    () => SECRET,
    new Map([["token", SECRET]]),
    new Error(SECRET),
    [SECRET, undefined],
    cyclic,
  ]
}

function refusal(action: () => Promise<unknown>, key: Key): Promise<Error> {
  return expectRejection(action, "INVALID_VALUE", "An invalid value was not refused", key)
}
