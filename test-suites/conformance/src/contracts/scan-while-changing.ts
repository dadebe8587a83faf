import { compareKeys, type Entry, type Key, type ScanOptions } from "@sessile/core/storage"
import { expectSame, expectThat } from "../assertions.js"
import type { Contract } from "../contract.js"
import { entriesOf, fill, recordsAt, spacedKey, spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"

/** What holds of an iteration beside which something else happens. */
export const scanWhileChanging: readonly Contract[] = [
  {
    id: "scan/abandoned",
    title: "an iteration that is broken off leaves the store usable",
    check: async ({ storage }) => {
      const records = recordsAt(spacedKeys(["live"], 50))
      await fill(storage, records)
      for (let round = 0; round < 20; round++) {
        storage.scan(["live"]) // never begun
        for await (const entry of storage.scan(["live"])) {
          expectSame(entry.value, records[0]?.value, "An iteration after an abandoned one began elsewhere")
          break
        }
      }
      await storage.write(["behind"], 1)
      await storage.remove(["behind"])
      const problem = "After abandoned iterations a scan gave other records"
      expectSameList(await entriesOf(storage.scan([])), records, problem)
    },
  },
  {
    id: "scan/two-at-once",
    title: "iterations that run side by side do not disturb each other",
    check: async ({ storage }) => {
      const records = recordsAt(spacedKeys(["live"], 50))
      await fill(storage, records)
      const forwards = storage.scan(["live"])[Symbol.asyncIterator]()
      const backwards = storage.scan(["live"], { reverse: true })[Symbol.asyncIterator]()
      for (const [index, record] of records.entries()) {
        const problem = "One of two iterations side by side gave another record than it should"
        expectSame((await forwards.next()).value?.key, record.key, problem)
        expectSame((await backwards.next()).value?.key, records.at(-1 - index)?.key, problem)
      }
      const ended = [(await forwards.next()).done, (await backwards.next()).done]
      expectSame(ended, [true, true], "An iteration went on behind its last record")
    },
  },
  {
    id: "scan/paused",
    title: "a paused iteration keeps nobody from reading and writing",
    check: async ({ storage }) => {
      const records = recordsAt(spacedKeys(["live"], 50))
      const [first, second] = records.map(({ key }) => key) as [Key, Key]
      await fill(storage, records)
      const iterator = storage.scan(["live"])[Symbol.asyncIterator]()
      await iterator.next()
      for (const key of [first, second, ["elsewhere"]]) {
        await storage.write(key, { count: 1 })
        await storage.update<{ count: number }>(key, (draft) => {
          draft.count++
        })
        const problem = "A write beside a paused iteration is not there"
        expectSame(await storage.read(key), { count: 2 }, problem, key)
      }
      await storage.batch([{ type: "remove", key: first }])
      await storage.remove(["elsewhere"])
      expectSame(
        await storage.list([], { limit: 1 }),
        [second],
        "A removal beside a paused iteration is undone",
      )
      await iterator.return?.()
    },
  },
  {
    id: "scan/while-writing",
    title: "what is there all the time comes exactly once and in order, whatever is written meanwhile",
    check: async ({ storage }) => {
      for (const reverse of [false, true]) {
        const prefix = ["live", reverse ? "backwards" : "forwards"]
        const lasting = spacedKeys(prefix, 20)
        await fill(storage, recordsAt(lasting))
        const seen: Key[] = []
        for await (const { key } of storage.scan(prefix, { reverse })) {
          seen.push(key)
          const number = Number(key.at(-1))
          if (number % 10 !== 0) continue
          // Nothing beyond the ends, or the iteration might never reach them.
          const near = [-10, -5, 0, 5, 10].map((step) => number + step).filter((n) => n > 0 && n < 210)
          for (const neighbour of near) await storage.write(spacedKey(prefix, neighbour), "written meanwhile")
        }
        expectLasting(seen, lasting, { reverse })
      }
    },
  },
  {
    id: "scan/while-removing",
    title: "what is there all the time comes exactly once and in order, whatever is removed meanwhile",
    check: async ({ storage }) => {
      for (const reverse of [false, true]) {
        const prefix = ["live", reverse ? "backwards" : "forwards"]
        const keys = spacedKeys(prefix, 21)
        await fill(storage, recordsAt(keys))
        const seen: Key[] = []
        for await (const { key } of storage.scan(prefix, { reverse })) {
          seen.push(key)
          const number = Number(key.at(-1))
          // The neighbours: one of them was passed, the other one is still to come.
          if (number % 40 !== 10) continue
          for (const near of [-10, 10]) await storage.remove(spacedKey(prefix, number + near))
        }
        expectLasting(
          seen,
          keys.filter((_, index) => index % 2 === 0),
          { reverse },
        )
      }
    },
  },
  {
    id: "scan/snapshot-holds",
    title: "a snapshot shows the store as it was when the iteration began",
    needs: { snapshots: true },
    check: async ({ storage }) => {
      for (const reverse of [false, true]) {
        const prefixes = [
          [`first-${reverse}`, "a"],
          [`second-${reverse}`, "b"],
        ]
        const records = recordsAt(prefixes.flatMap((prefix) => spacedKeys(prefix, 30)))
        await fill(storage, records)
        const iterator = storage.scanMany(prefixes, { snapshot: true, reverse })[Symbol.asyncIterator]()
        const seen: Entry<unknown>[] = []
        for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
          seen.push({ key: next.value.key, value: next.value.value })
          if (seen.length > 1) continue
          for (const prefix of prefixes) {
            for (const number of [5, 20, 155, 305]) await storage.write(spacedKey(prefix, number), "later")
            await storage.update<{ later?: boolean }>(spacedKey(prefix, 150), (draft) => {
              draft.later = true
            })
            await storage.remove(spacedKey(prefix, 160))
            await storage.batch([
              { type: "write", key: spacedKey(prefix, 170), value: "later" },
              { type: "remove", key: spacedKey(prefix, 180) },
            ])
          }
        }
        const expected = reverse ? records.toReversed() : records
        expectSameList(seen, expected, "A snapshot shows what changed after the iteration began")
      }
    },
  },
]

/** Fails unless an iteration gave these keys once and in order, among whatever else. */
export function expectLasting(seen: readonly Key[], lasting: readonly Key[], { reverse }: ScanOptions): void {
  const ascending = reverse ? seen.toReversed() : seen
  for (const [index, key] of ascending.entries()) {
    const previous = ascending[index - 1]
    const inOrder = previous === undefined || compareKeys(previous, key) < 0
    expectThat(inOrder, "While the store changed, a record came twice or out of order", key)
  }
  const names = new Set(lasting.map((key) => key.join("/")))
  const kept = ascending.filter((key) => names.has(key.join("/")))
  expectSameList(kept, lasting, "While the store changed, records that were there all the time did not come")
}
