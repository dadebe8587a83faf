import type { Entry } from "@sessile/core/storage"
import { expectRejection, expectThat } from "../assertions.js"
import type { Contract, ContractGroup } from "../contract.js"
import type { Lab } from "../lab.js"
import { fillMany, manyPrefixes, manyRecords, manySessions } from "./many-records.js"
import { otherHandle } from "./pages-while-changing.js"
import { recordsAt, spacedKeys } from "./records.js"
import { expectContents, expectSuccess } from "./store-contents.js"

/** A way to leave an iteration before its end. */
type Leave = (items: AsyncIterable<Entry<unknown>>) => Promise<unknown>

const leaves: readonly Leave[] = [
  async (items) => {
    for await (const _ of items) break
  },
  async (items) => {
    const iterator = items[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.return?.()
  },
  (items) => leaveByThrowing(items).catch(() => undefined),
  async (items) => items[Symbol.asyncIterator]().return?.(),
]

/** What a store holds for iterations, and lets go of again. */
export const resources: ContractGroup = {
  name: "Resources",
  required: true,
  contracts: [
    abandoned("scans", "scans", manyRecords, 100, ({ storage }) => [
      storage.scan(["page"]),
      storage.scan(["page"], { limit: 1 }),
      storage.scan(["page"], { snapshot: storage.capabilities.snapshots, reverse: true }),
    ]),
    abandoned("scans-of-many", "scans of many prefixes", manyRecords, 100, ({ storage }) => [
      storage.scanMany(manyPrefixes, { snapshot: storage.capabilities.snapshots }),
    ]),
    abandoned("finds", "finds", manySessions, 40, ({ storage }) => [
      storage.find("sessions-by-updated"),
      storage.find("sessions-by-project", { limit: 1, reverse: true }),
    ]),
    {
      id: "resources/failed-updates",
      title: "updates whose editors throw hold nothing open, and keep nobody from their records",
      check: async (lab) => {
        const records = recordsAt(spacedKeys(["record"], 60))
        await fillMany(lab.storage, records)
        const before = (await lab.openResources()) ?? 0
        for (const { key } of records) await lab.storage.update(key, refuse).catch(() => undefined)
        const grown = ((await lab.openResources()) ?? 0) - before
        expectThat(grown < records.length / 4, `Updates whose editors threw hold ${grown} resources open`)
        const other = await otherHandle(lab)
        for (const { key, value } of records) await other.write(key, value)
        await expectContents(other, records, "After updates whose editors threw the store gave other records")
      },
    },
    {
      id: "resources/closed-iterations",
      title: "a closed store holds nothing open once its iterations have rejected",
      check: async (lab) => {
        const { storage } = lab
        await fillMany(storage, [...manyRecords, ...manySessions])
        const { snapshots: snapshot } = storage.capabilities
        const iterators = [
          storage.scan(["page"], { snapshot }),
          storage.scanMany(manyPrefixes),
          storage.find("sessions-by-updated"),
        ].map((items) => items[Symbol.asyncIterator]())
        for (const iterator of iterators) await iterator.next()
        await lab.close()
        for (const iterator of iterators) {
          await expectRejection(
            () => iterator.next(),
            "CLOSED",
            "An iteration went on after the store was closed",
          )
        }
        const open = (await lab.openResources()) ?? 0
        expectThat(open === 0, `A closed store holds ${open} resources open`)
      },
    },
  ],
}

function abandoned(
  name: string,
  what: string,
  records: readonly Entry<unknown>[],
  rounds: number,
  begin: (lab: Lab) => AsyncIterable<Entry<unknown>>[],
): Contract {
  return {
    id: `resources/abandoned-${name}`,
    title: `${what} that are left early, however often and in whatever way, hold nothing open`,
    check: async (lab) => {
      await fillMany(lab.storage, records)
      for (const leave of leaves) for (const items of begin(lab)) await leave(items)
      const before = (await lab.openResources()) ?? 0
      for (let round = 0; round < rounds; round++) {
        const leave = leaves[round % leaves.length] as Leave
        const problem = `After ${round} rounds of iterations that were left the next one failed`
        for (const items of begin(lab)) await expectSuccess(() => leave(items), problem)
      }
      const grown = ((await lab.openResources()) ?? 0) - before
      // An engine may open a file or two for reasons of its own.
      expectThat(
        grown < rounds / 4,
        `${rounds} rounds of iterations that were left hold ${grown} resources open`,
      )
      await lab.storage.write(["last"], 1)
      await lab.storage.remove(["last"])
      await expectContents(
        lab.storage,
        records,
        "After iterations that were left the store gave other records",
      )
    },
  }
}

async function leaveByThrowing(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) throw new Error("The caller cannot go on")
}

function refuse(): never {
  throw new Error("The editor cannot go on")
}
