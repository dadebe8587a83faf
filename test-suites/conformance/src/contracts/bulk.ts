import { encodeKey, isTextStorage, type Key, type TextEntry, type TextStorage } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat, gather } from "../assertions.js"
import { type Contract, type ContractGroup, ContractSkip } from "../contract.js"
import type { Lab } from "../lab.js"
import { damagedNeighbours } from "./damaged-record.js"
import { expectFound } from "./find-oracle.js"
import { fillMany, manyKeys, manyPrefixes, manyRecords, manySessions } from "./many-records.js"
import { outcomeOf } from "./outcome.js"
import { spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"

// In no order that a store has, and more than a request takes.
const mixedKeys = [1, 0, 2]
  .flatMap((rest) => manyKeys.filter((_, index) => index % 3 === rest).map(encodeKey))
  .reverse()

// Texts of opencode's files, and others that somebody wrote by hand.
const texts = [
  '{\n  "id": "a",\n  "text": "é\\u0000\\ud83d\\ude00"\n}',
  '{"id":"compact","n":1.0}',
  '{ "odd" :  [1,\t2 ] }\n',
  ' {"after": "a space"}',
  '"\\u0000 inside \\u0000"',
  "[]",
  "null",
]

/** What moving many records at once relies on, for stores that offer it. */
export const bulk: ContractGroup = {
  name: "Bulk",
  required: false,
  contracts: [
    contract(
      "scan",
      "a bulk scan gives every record once, in key order, and its shards are all of them",
      async (storage) => {
        await fillMany(storage, manyRecords)
        const all = manyKeys.map(encodeKey)
        expectSameList(await scannedKeys(storage, {}), all, "A bulk scan gave other records")
        expectSameList((await gather(storage.scanKeys())).flat(), all, "A bulk scan of keys gave other keys")
        const shards = [0, 1, 2].map((index) => ({ index, count: 3 }))
        const found = await Promise.all(shards.map((share) => scannedKeys(storage, { share })))
        const problem = "The shards of a bulk scan are not all records, each once"
        expectSameList(found.flat().sort(), all.toSorted(), problem)
        const prefixes = manyPrefixes.slice(3).reverse()
        const below = manyKeys.filter((key) => Number(key[1]) >= 3).map(encodeKey)
        expectSameList(
          await scannedKeys(storage, { prefixes }),
          below,
          "A bulk scan of prefixes gave other records",
        )
      },
    ),
    contract(
      "read-order",
      "records that are read together come in the order of their keys, absent ones included",
      async (storage) => {
        await fillMany(storage, manyRecords)
        const absent = mixedKeys.map((key, index) => (index % 10 === 0 ? `${key}!` : key))
        const found = await storage.readTexts(absent)
        expectSame(
          found.length,
          absent.length,
          "Reading together gave another number of results than there are keys",
        )
        const expected = absent.map((key) => (key.endsWith("!") ? undefined : key))
        expectSameList(
          found.map((entry) => entry?.key),
          expected,
          "Results came in another order than their keys",
        )
        for (const entry of found) {
          if (entry !== undefined) expectValue(entry, { at: entry.key.split("\0") })
        }
      },
    ),
    contract(
      "exact-texts",
      "raw JSON comes back to the letter, however it was stored and however it is read",
      async (storage) => {
        const records = texts.flatMap((text, index) => [
          { key: encodeKey(["added", String(index)]), text },
          { key: encodeKey(["written", String(index)]), text },
        ])
        const added = records.filter(({ key }) => key.startsWith("added"))
        await storage.addTexts(added)
        await storage.writeTexts(records.filter((record) => !added.includes(record)))
        const sorted = records.toSorted((a, b) => (a.key < b.key ? -1 : 1))
        const read = await storage.readTexts(sorted.map(({ key }) => key))
        const problem = "Raw JSON came back otherwise than it was stored"
        expectSameList(
          read.map((entry) => entry && plain(entry)),
          sorted,
          problem,
        )
        expectSameList((await gather(storage.scanTexts())).flat().map(plain), sorted, problem)
        for (const { key, text } of records) {
          expectSame(
            await storage.read(key.split("\0")),
            JSON.parse(text),
            "Its value is another one",
            key.split("\0"),
          )
        }
      },
    ),
    contract(
      "add-only",
      "adding stores what is absent, replaces nothing, and reports what is present in the order of the records",
      async (storage) => {
        const present = manyRecords.filter((_, index) => index % 4 === 0)
        await fillMany(storage, present)
        const taken = new Set(present.map(({ key }) => encodeKey(key)))
        const results = await storage.addTexts(mixedKeys.map((key) => ({ key, text: '"added"' })))
        const expected = mixedKeys.map((key) => (taken.has(key) ? key : undefined))
        expectSameList(
          results.map((entry) => entry?.key),
          expected,
          "Adding reported other records as present",
        )
        for (const [position, entry] of results.entries()) {
          if (entry !== undefined) expectValue(entry, { at: (mixedKeys[position] as string).split("\0") })
        }
        const after = await storage.readTexts(mixedKeys)
        for (const [position, entry] of after.entries()) {
          const key = (mixedKeys[position] as string).split("\0")
          expectThat(entry !== undefined, "A record that was added is not there", key)
          expectValue(entry, taken.has(entry.key) ? { at: key } : "added")
        }
        const again = await storage.addTexts(mixedKeys.map((key) => ({ key, text: '"again"' })))
        expectThat(
          again.every((entry) => entry !== undefined),
          "Adding a second time replaced records",
        )
      },
    ),
    contract(
      "add-at-once",
      "of those who add the same records at once, also by another handle, one adds each of them",
      async (storage, lab) => {
        const others = storage.capabilities.multiProcess ? [await bulkOf(lab.openAgain())] : []
        const keys = spacedKeys(["contested"], 1_200).map(encodeKey)
        const adders = [storage, ...others, storage]
        const results = await Promise.all(
          adders.map((adder, number) => {
            const records = keys.map((key) => ({ key, text: String(number) }))
            return adder.addTexts(number % 2 === 0 ? records : records.reverse())
          }),
        )
        const stored = await storage.readTexts(keys)
        for (const [position, key] of keys.entries()) {
          const winners = results.filter((result, number) => {
            return result[number % 2 === 0 ? position : keys.length - 1 - position] === undefined
          })
          expectSame(
            winners.length,
            1,
            "Not exactly one of those who added a record was told that it did",
            key.split("\0"),
          )
          const winner = results.indexOf(winners[0] as (typeof results)[number])
          expectValue(stored[position] as TextEntry, winner)
        }
      },
    ),
    contract(
      "write-replaces",
      "writing together replaces what is there, and indexes follow it",
      async (storage) => {
        await fillMany(storage, manySessions.slice(0, 1_200))
        const changed = manySessions.map(({ key }, index) => ({
          key,
          value: { time: { updated: 10_000 - index } },
        }))
        const records = changed.map(({ key, value }) => ({
          key: encodeKey(key),
          text: JSON.stringify(value),
        }))
        await storage.writeTexts(records.slice(0, 1_100))
        await storage.addTexts(records.slice(1_200))
        const expected = [
          ...changed.slice(0, 1_100),
          ...manySessions.slice(1_100, 1_200),
          ...changed.slice(1_200),
        ]
        await expectFound(storage, expected, "sessions-by-updated")
      },
    ),
    contract("closed", "bulk methods reject with CLOSED once close was called", async (storage) => {
      const key = encodeKey(["a"])
      await storage.write(["a"], 1)
      const open = storage.scanTexts()[Symbol.asyncIterator]()
      await storage.close()
      const methods: Record<string, () => Promise<unknown>> = {
        "an open scanTexts": () => open.next(),
        scanTexts: () => gather(storage.scanTexts()),
        scanKeys: () => gather(storage.scanKeys()),
        readTexts: () => storage.readTexts([key]),
        addTexts: () => storage.addTexts([{ key, text: "2" }]),
        writeTexts: () => storage.writeTexts([{ key, text: "2" }]),
        flush: () => storage.flush(),
      }
      for (const [method, call] of Object.entries(methods)) {
        await expectRejection(call, "CLOSED", `${method} went on after the store was closed`)
      }
    }),
    contract(
      "failures",
      "bulk methods whose engine fails reject with a StorageError, and add or write all or nothing",
      async (storage, lab) => {
        await fillMany(storage, manyRecords)
        const { atomicBatch } = storage.capabilities
        const all = manyKeys.map(encodeKey)
        for (let after = 0; after < 8; after++) {
          const fresh = spacedKeys(["fresh", String(after)], 1_500).map((key) => ({
            key: encodeKey(key),
            text: "1",
          }))
          const mend = await lab.breakDown(after)
          await outcomeOf(async () => {
            expectSameList(
              await scannedKeys(storage, {}),
              all,
              "A bulk scan seemed complete though the engine failed",
            )
          })
          await mend()
          const mendAgain = await lab.breakDown(after)
          const adding = await outcomeOf(() => storage.addTexts(fresh))
          await mendAgain()
          const found = (await storage.readTexts(fresh.map(({ key }) => key))).filter(
            (entry) => entry !== undefined,
          )
          if (adding === "done")
            expectSame(found.length, fresh.length, "Records were acknowledged that are not there")
          const problem = `Of ${fresh.length} records that were added together only ${found.length} are there`
          expectThat(!atomicBatch || [0, fresh.length].includes(found.length), problem)
          await storage.batch(fresh.map(({ key }) => ({ type: "remove", key: key.split("\0") })))
        }
      },
    ),
    damagedNeighbours,
  ],
}

function contract(
  name: string,
  title: string,
  check: (storage: TextStorage, lab: Lab) => Promise<void>,
): Contract {
  return { id: `bulk/${name}`, title, check: async (lab) => check(await bulkOf(lab.storage), lab) }
}

async function bulkOf(opening: Lab["storage"] | Promise<Lab["storage"]>): Promise<TextStorage> {
  const storage = await opening
  if (!isTextStorage(storage)) throw new ContractSkip("the store has no bulk methods")
  return storage
}

async function scannedKeys(
  storage: TextStorage,
  options: Parameters<TextStorage["scanTexts"]>[0],
): Promise<string[]> {
  return (await gather(storage.scanTexts(options))).flat().map(({ key }) => key)
}

function expectValue(entry: TextEntry, expected: unknown): void {
  const key: Key = entry.key.split("\0")
  expectThat("text" in entry, "A record could not be read", key)
  expectSame(JSON.parse(entry.text), expected, "A record that was read or reported has another value", key)
}

function plain(entry: TextEntry): unknown {
  return "text" in entry ? { key: entry.key, text: entry.text } : entry
}
