import type { Operation, Storage } from "@sessile/core/storage"
import { ContractFailure, expectSame, expectThat, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { damagedRecord } from "./damaged-record.js"
import { folderGone } from "./folder-gone.js"
import { fillMany, manyPrefixes, manyRecords, manySessions } from "./many-records.js"
import { keyCalls, prefixCalls } from "./method-calls.js"
import { outcomeOf } from "./outcome.js"
import { entriesOf, spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"
import { expectContents, expectSuccess } from "./store-contents.js"

// One page, or one part of a batch, per request: all of them, and a few more.
const MOST_REQUESTS = 8

const calls = [
  ...keyCalls,
  ...prefixCalls,
  { method: "find", call: (storage: Storage) => gather(storage.find("sessions-by-updated")) },
]

/** What holds when the engine behind a store fails. */
export const failures: ContractGroup = {
  name: "Failures of the engine",
  required: false,
  contracts: [
    {
      id: "failures/every-method",
      title: "every method rejects with a StorageError while the engine fails, and works again afterwards",
      check: async (lab) => {
        const key = ["session", "p", "ses_1"]
        await lab.storage.write(key, { count: 1 })
        const mend = await lab.breakDown(0)
        for (const { method, call } of calls) {
          const outcome = await outcomeOf(() => call(lab.storage, key))
          const problem = `${method} succeeded though the engine failed`
          expectThat(outcome !== "done", problem, key)
        }
        await mend()
        await expectContents(
          lab.storage,
          [{ key, value: { count: 1 } }],
          "A failure of the engine changed something",
        )
        for (const { method, call } of calls) {
          await expectSuccess(
            () => call(lab.storage, key),
            `${method} still fails though the engine works again`,
          )
          await lab.storage.write(key, { count: 1 })
        }
      },
    },
    {
      id: "failures/iterations",
      title: "an iteration whose engine fails on a later page rejects, and never seems complete",
      check: async (lab) => {
        const { storage } = lab
        await fillMany(storage, [...manyRecords, ...manySessions])
        const { snapshots: snapshot } = storage.capabilities
        const iterations: Record<string, () => Promise<unknown[]>> = {
          list: () => storage.list(["page"]),
          "list in reverse": () => storage.list(["page"], { reverse: true }),
          scan: () => entriesOf(storage.scan(["page"], { snapshot })),
          "scan in reverse": () => entriesOf(storage.scan(["page"], { reverse: true })),
          scanMany: () => entriesOf(storage.scanMany(manyPrefixes)),
          find: () => entriesOf(storage.find("sessions-by-updated")),
        }
        for (const [method, iterate] of Object.entries(iterations)) {
          const expected = await iterate()
          for (let after = 0; after < MOST_REQUESTS; after++) {
            let items: unknown[] = []
            const mend = await lab.breakDown(after)
            const outcome = await outcomeOf(async () => {
              items = await iterate()
            })
            await mend()
            const problem = `${method} seemed complete though the engine failed after ${after} requests`
            if (outcome === "done") expectSameList(items, expected, problem)
          }
        }
      },
    },
    {
      id: "failures/single-changes",
      title:
        "a write, update or removal whose engine fails rejects, and leaves the old record or the new one",
      check: async (lab) => {
        const key = ["record"]
        const changes: Record<string, (storage: Storage) => Promise<unknown>> = {
          write: (storage) => storage.write(key, { count: 2 }),
          update: (storage) => storage.update<{ count: number }>(key, increment),
          remove: (storage) => storage.remove(key),
        }
        for (const [method, change] of Object.entries(changes)) {
          for (let after = 0; after < MOST_REQUESTS; after++) {
            await lab.storage.write(key, { count: 1 })
            const mend = await lab.breakDown(after)
            const outcome = await outcomeOf(() => change(lab.storage))
            await mend()
            const [entry] = await entriesOf(lab.storage.scan([]))
            const values: unknown[] = [method === "remove" ? undefined : { count: 2 }]
            if (outcome !== "done") values.push({ count: 1 })
            const problem = `After ${after} requests a ${method} whose engine failed left another value`
            const isAllowed = values.some((value) => JSON.stringify(value) === JSON.stringify(entry?.value))
            if (!isAllowed)
              throw new ContractFailure({ problem, key, expected: values, actual: entry?.value })
          }
        }
      },
    },
    {
      id: "failures/batch",
      title: "a batch of thousands whose engine fails happens as a whole, or rejects and happens not at all",
      needs: { atomicBatch: true },
      check: async (lab) => {
        const keys = spacedKeys(["batch"], 2_500)
        for (let after = 0; after < MOST_REQUESTS; after++) {
          await fillMany(
            lab.storage,
            keys.map((key) => ({ key, value: "old" })),
          )
          const mend = await lab.breakDown(after)
          const operations = keys.map((key): Operation => ({ type: "write", key, value: "new" }))
          const outcome = await outcomeOf(() => lab.storage.batch(operations))
          await mend()
          const values = (await entriesOf(lab.storage.scan(["batch"]))).map(({ value }) => value)
          if (outcome === "done") expectSame(values[0], "new", "A batch was acknowledged that did not happen")
          const problem = `After ${after} requests a batch whose engine failed happened in part`
          expectSameList(
            values,
            keys.map(() => values[0]),
            problem,
          )
        }
      },
    },
    {
      id: "failures/aftermath",
      title: "iterations and changes whose engine failed keep nobody from the records",
      check: async (lab) => {
        const { storage } = lab
        await fillMany(storage, manyRecords)
        const { snapshots: snapshot } = storage.capabilities
        const key = manyRecords[0]?.key ?? []
        for (let after = 0; after < 60; after++) {
          const mend = await lab.breakDown(after % 3)
          await outcomeOf(() => gather(storage.scan(["page"], { snapshot })))
          await outcomeOf(() => storage.update(key, () => undefined))
          await mend()
        }
        await expectSuccess(
          () => storage.update(key, () => undefined),
          "A record is stuck after a failure",
          key,
        )
        await expectContents(
          storage,
          manyRecords,
          "After failures of the engine the store gave other records",
        )
      },
    },
    folderGone,
    damagedRecord,
  ],
}

function increment(draft: { count: number }): void {
  draft.count++
}
