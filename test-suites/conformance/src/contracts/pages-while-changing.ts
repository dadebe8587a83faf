import { compareKeys, type Entry, type Key, type Operation, type Storage } from "@sessile/core/storage"
import type { Contract } from "../contract.js"
import type { Lab } from "../lab.js"
import { expectFound } from "./find-oracle.js"
import { fillMany, manyKeys, manyPrefixes, manyRecords, manySessions } from "./many-records.js"
import { entriesOf } from "./records.js"
import { expectSameList } from "./same-list.js"
import { updatedAt } from "./sample-sessions.js"
import { expectLasting } from "./scan-while-changing.js"
import { expectContents } from "./store-contents.js"

/** What holds beyond the first page while records change there. */
export const pagesWhileChanging: readonly Contract[] = [
  {
    id: "pages/changes-are-seen",
    title: "what changes among thousands of records shows in the next scan and list, also of other handles",
    check: async (lab) => {
      await fillMany(lab.storage, manyRecords)
      const reader = await otherHandle(lab)
      // Whatever remembers pages has seen them all.
      await expectContents(reader, manyRecords, "Another handle shows other records")
      const { records, operations } = changed(manyRecords)
      await change(lab.storage, operations)
      for (const storage of [reader, lab.storage]) {
        await expectContents(storage, records, "A scan misses changes among thousands of records")
        const keys = records.map(({ key }) => key)
        expectSameList(await storage.list([]), keys, "A list misses changes among thousands of records")
      }
    },
  },
  {
    id: "pages/find-follows-changes",
    title: "an index of thousands of records follows their changes, also those of other handles",
    check: async (lab) => {
      await fillMany(lab.storage, manySessions)
      const reader = await otherHandle(lab)
      await expectFound(reader, manySessions, "sessions-by-updated")
      const { records, operations } = changed(manySessions, ({ key }) =>
        updatedAt(key[1] as string, key[2] as string, 9),
      )
      await change(lab.storage, operations)
      for (const storage of [reader, lab.storage]) {
        for (const query of [{}, { reverse: true }, { equals: [9] }]) {
          await expectFound(storage, records, "sessions-by-updated", query)
        }
      }
    },
  },
  {
    id: "pages/while-changing",
    title: "what is there all the time comes once and in order while others change thousands of records",
    check: async (lab) => {
      const { storage } = lab
      await fillMany(storage, manyRecords)
      const writer = await otherHandle(lab)
      const { operations } = changed(manyRecords)
      // More removals than additions on the pages at both ends, which shifts what comes after them.
      for (let position = 10; position < 50; position += 4) {
        operations.push({ type: "remove", key: manyKeys[position] as Key })
        operations.push({ type: "remove", key: manyKeys.at(-position) as Key })
      }
      const removed = new Set(
        operations.filter(({ type }) => type === "remove").map(({ key }) => key.join("/")),
      )
      const lasting = manyKeys.filter((key) => !removed.has(key.join("/")))
      for (const reverse of [false, true]) {
        const seen: Key[] = []
        for await (const { key } of storage.scanMany(manyPrefixes, { reverse })) {
          if (seen.push(key) === 1) await change(writer, operations)
        }
        expectLasting(seen, lasting, { reverse })
      }
    },
  },
  {
    id: "pages/snapshot-holds",
    title: "a snapshot of thousands of records shows one moment while others write to its later pages",
    needs: { snapshots: true },
    check: async (lab) => {
      for (const [reverse, steps] of [
        [false, 1],
        [true, 1],
        [false, 1_005],
        [true, 1_005],
      ] as const) {
        await using fresh = await lab.fresh()
        await fillMany(fresh.storage, manyRecords)
        const writer = await otherHandle(fresh)
        const options = { snapshot: true, reverse }
        const scans = [fresh.storage.scan(["page"], options), fresh.storage.scanMany(manyPrefixes, options)]
        const [seen = [], alsoSeen = []] = await seenAround(scans, steps, () =>
          change(writer, changed(manyRecords).operations),
        )
        const expected = reverse ? manyRecords.toReversed() : manyRecords
        const problem = `After ${steps} records a snapshot shows what changed on later pages`
        expectSameList(seen, expected, problem)
        expectSameList(alsoSeen, expected, problem)
      }
    },
  },
]

/** Another handle on the store, where several may be open; the same one elsewhere. */
export async function otherHandle(lab: Lab): Promise<Storage> {
  return lab.storage.capabilities.multiProcess ? lab.openAgain() : lab.storage
}

/** What iterations give that are paused after so many steps until something has happened. */
async function seenAround(
  scans: readonly AsyncIterable<Entry<unknown>>[],
  steps: number,
  happening: () => Promise<void>,
): Promise<Entry<unknown>[][]> {
  const iterators = scans.map((scan) => scan[Symbol.asyncIterator]())
  const seen = scans.map((): Entry<unknown>[] => [])
  for (const [number, iterator] of iterators.entries()) {
    for (let step = 0; step < steps; step++) seen[number]?.push((await iterator.next()).value)
  }
  await happening()
  for (const [number, iterator] of iterators.entries()) {
    seen[number]?.push(...(await entriesOf({ [Symbol.asyncIterator]: () => iterator })))
  }
  return seen
}

/** Changes at the ends of usual pages and beyond them, and the records that are there after them, in order. */
function changed(
  records: readonly Entry<unknown>[],
  replace = ({ key }: Entry<unknown>): Entry<unknown> => ({ key, value: "changed" }),
): { readonly records: Entry<unknown>[]; readonly operations: Operation[] } {
  const left = new Map(records.map((record) => [record.key.join("/"), record]))
  const operations: Operation[] = []
  for (const start of [0, 64, 100, 256, 512, 996, 1_024, 1_150, records.length - 6]) {
    const [first, second, third] = records.slice(start, start + 3) as [
      Entry<unknown>,
      Entry<unknown>,
      Entry<unknown>,
    ]
    const added = replace({ key: [...third.key.slice(0, -1), `${third.key.at(-1)}!`], value: null })
    const replaced = replace(second)
    operations.push(
      { type: "remove", key: first.key },
      { type: "write", ...replaced },
      { type: "write", ...added },
    )
    left.delete(first.key.join("/"))
    for (const record of [replaced, added]) left.set(record.key.join("/"), record)
  }
  return { records: [...left.values()].sort((a, b) => compareKeys(a.key, b.key)), operations }
}

/** Carries changes out by every method that makes them. */
async function change(storage: Storage, operations: readonly Operation[]): Promise<void> {
  for (const [number, operation] of operations.entries()) {
    if (number % 5 === 0) await storage.batch([operation])
    else if (operation.type === "remove") await storage.remove(operation.key)
    else await storage.write(operation.key, operation.value)
  }
}
