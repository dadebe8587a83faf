import {
  compareKeys,
  type Entry,
  type Key,
  type Storage,
  StorageError,
  type StorageErrorCode,
} from "@sessile/core/storage"
import { ContractFailure, expectRejection, expectSame, expectThat } from "../assertions.js"
import type { Contract, ContractGroup } from "../contract.js"
import { keyCalls, type MethodCall, prefixCalls } from "./method-calls.js"
import { entriesOf, fill, recordsAt } from "./records.js"
import { expectSameList } from "./same-list.js"
import { invalidKeys, longestKeys, lookAlikeKeys, oversizedTwins, unicodeKeys } from "./sample-keys.js"
import { expectContents, expectSuccess } from "./store-contents.js"

const removingBatch: MethodCall = {
  method: "batch",
  call: (storage, key) => storage.batch([{ type: "remove", key }]),
}

export const keys: ContractGroup = {
  name: "Keys",
  required: true,
  contracts: [
    {
      id: "keys/empty-key-refused",
      title: "a key without segments is refused with INVALID_KEY by every method that takes a key",
      check: ({ storage }) => expectRefused(storage, [...keyCalls, removingBatch], [[]]),
    },
    ...invalidKeys.map(
      ({ id, what, keys }): Contract => ({
        id: `keys/${id}`,
        title: `${what} is refused with INVALID_KEY by every method that takes a key or a prefix`,
        check: ({ storage }) =>
          expectRefused(storage, [...keyCalls, removingBatch, ...prefixCalls], keys as Key[]),
      }),
    ),
    {
      id: "keys/longest-guaranteed",
      title: "keys of 4 segments of 64 UTF-8 bytes work with every method",
      check: async ({ storage }) => {
        await expectKeptApart(storage, longestKeys)
        for (const key of longestKeys) {
          await storage.write(key, { count: 1 })
          await storage.update<{ count: number }>(key, (draft) => {
            draft.count++
          })
          const below = await entriesOf(storage.scan(key.slice(0, -1)))
          expectSame(below, [{ key, value: { count: 2 } }], "A long key was not found below its prefix", key)
        }
      },
    },
    {
      id: "keys/unicode",
      title: "segments may hold any character but NUL",
      check: ({ storage }) => expectKeptApart(storage, unicodeKeys),
    },
    {
      id: "keys/distinct-look-alikes",
      title: "keys that look alike name different records",
      check: ({ storage }) => expectKeptApart(storage, lookAlikeKeys),
    },
    {
      id: "keys/letter-case",
      title: "a key that differs in letter case alone names another record, or is refused with INVALID_KEY",
      check: async ({ storage }) => {
        for (const [first, second] of [
          [["Case"], ["case"]],
          [
            ["folder", "a"],
            ["FOLDER", "a"],
          ],
          [["Äther"], ["äther"]],
        ] as const) {
          const taken = await expectTakenOrRefused(storage, [first, second])
          expectSame(taken[0], first, "The only key of its kind was refused", first)
        }
      },
    },
    {
      id: "keys/key-beside-descendants",
      title: "a key and keys below it hold records at the same time",
      check: async ({ storage }) => {
        await expectKeptApart(storage, [["down"], ["down", "b"], ["down", "b", "c"]])
        await expectKeptApart(storage, [["up", "b", "c"], ["up", "b"], ["up"]])
      },
    },
    {
      id: "keys/oversized-refused-or-kept",
      title: "a key beyond what every store takes works fully, or is refused with INVALID_KEY",
      check: async ({ storage }) => {
        for (const twins of oversizedTwins) {
          for (const key of await expectTakenOrRefused(storage, twins)) await storage.remove(key)
        }
      },
    },
    {
      id: "keys/not-retained",
      title: "changing a key after it was passed or returned changes no record",
      check: async ({ storage }) => {
        const expected = [
          { key: ["a", "batched"], value: 1 },
          { key: ["a", "written"], value: 2 },
        ]
        const passed = expected.map(({ key }) => [...key]) as [string[], string[]]
        await storage.batch([{ type: "write", key: passed[0], value: 1 }])
        await storage.write(passed[1], 2)
        passed.forEach(spoil)
        await expectContents(storage, expected, "Changing a key that was passed in changed the store")

        for (const key of await storage.list([])) spoil(key)
        for await (const { key } of storage.scan([])) spoil(key)
        for await (const { key } of storage.scanMany([["a"]])) spoil(key)
        await expectContents(storage, expected, "Changing a key that was returned changed the store")
        expectSame(
          await storage.list([]),
          expected.map(({ key }) => key),
          "Changing a key that was returned changed what list gives",
        )
      },
    },
  ],
}

async function expectRefused(
  storage: Storage,
  calls: readonly MethodCall[],
  refused: readonly Key[],
): Promise<void> {
  // What a store that turns anything into strings would reach instead.
  const keys = ["1", "a", "null", "true", "undefined"].flatMap((segment) => [[segment], [segment, "b"]])
  const before = recordsAt(keys)
  await fill(storage, before)
  for (const key of refused) {
    for (const { method, call } of calls) {
      await expectRejection(() => call(storage, key), "INVALID_KEY", `${method} did not refuse the key`, key)
    }
    await expectContents(storage, before, "A key that was refused changed the store")
  }
}

/** Fails unless all keys work side by side. They are gone afterwards. */
async function expectKeptApart(storage: Storage, keys: readonly Key[]): Promise<void> {
  const records = recordsAt(keys)
  for (const { key, value } of records) {
    await expectSuccess(() => storage.write(key, value), "The key was refused", key)
  }
  await expectRecords(storage, records)
  const rest = records.filter((_, index) => index % 2 === 0)
  for (const { key } of records.filter((record) => !rest.includes(record))) await storage.remove(key)
  await expectRecords(storage, rest)
  for (const { key } of rest) await storage.remove(key)
  await expectRecords(storage, [])
}

async function expectRecords(storage: Storage, records: readonly Entry<unknown>[]): Promise<void> {
  for (const { key, value } of records) {
    const found = await expectSuccess(() => storage.read(key), "The key does not reach its record", key)
    expectSame(found, value, "The key reached another record", key)
  }
  const sorted = records.toSorted((a, b) => compareKeys(a.key, b.key))
  await expectContents(storage, sorted, "scan gave other records than were written")
  expectSameList(
    await storage.list([]),
    sorted.map(({ key }) => key),
    "list gave other keys than were written",
  )
}

/** Fails unless each key works fully, or is refused and leaves no trace. Gives those that were taken. */
async function expectTakenOrRefused(storage: Storage, keys: readonly Key[]): Promise<Key[]> {
  const before = await entriesOf(storage.scan([]))
  const taken: Entry<unknown>[] = []
  for (const [number, key] of keys.entries()) {
    const value = { number }
    if (await succeeds(() => storage.write(key, value), key, "INVALID_KEY")) taken.push({ key, value })
    else await expectOutOfReach(storage, key)
    await expectRecords(storage, [...before, ...taken])
  }
  return taken.map(({ key }) => key)
}

async function expectOutOfReach(storage: Storage, key: Key): Promise<void> {
  const readable = await succeeds(() => storage.read(key), key, "INVALID_KEY", "NOT_FOUND")
  expectThat(!readable, "A key that write refused could be read", key)
  await succeeds(() => storage.remove(key), key, "INVALID_KEY")
}

/** Whether an action succeeds. Fails when it rejects with anything but these codes. */
async function succeeds(
  action: () => Promise<unknown>,
  key: Key,
  ...codes: readonly StorageErrorCode[]
): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (codes.some((code) => StorageError.is(error, code))) return false
    throw new ContractFailure({
      problem: "A key that the store cannot take was refused in another way",
      key,
      expected: `success, or a StorageError ${codes.join(" or ")}`,
      actual: error,
    })
  }
}

// Not by assignment, which throws when a store gives frozen keys.
function spoil(key: Key): void {
  Reflect.set(key, key.length - 1, "spoilt")
}
