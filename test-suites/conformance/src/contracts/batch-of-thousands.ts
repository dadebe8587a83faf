import { setImmediate } from "node:timers/promises"
import type { Key, Operation, Storage } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat } from "../assertions.js"
import type { Contract } from "../contract.js"
import { otherHandle } from "./pages-while-changing.js"
import { entriesOf, recordsAt, spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"
import { expectContents, expectSuccess } from "./store-contents.js"

// The pair is at both ends, in whatever order a store carries operations out.
const first: Key = ["a", "first"]
const last: Key = ["z", "last"]
const keys: readonly Key[] = [first, ...spacedKeys(["between"], 5_000), last]

/** What holds of batches that a store cannot carry out by one request. */
export const batchOfThousands: readonly Contract[] = [
  {
    id: "batch/thousands-refused",
    title: "a batch of thousands with an invalid key or value at its end changes nothing",
    check: async ({ storage }) => {
      const kept = recordsAt([["kept"]])
      await storage.write(["kept"], kept[0]?.value)
      const operations = [...writes("refused"), remove(["kept"])]
      const invalid = [
        [write(["a", ""], 1), "INVALID_KEY"],
        [write(["a"], { when: new Date(0) }), "INVALID_VALUE"],
      ] as const
      for (const [operation, code] of invalid) {
        const problem = "A batch of thousands accepted an invalid operation"
        await expectRejection(() => storage.batch([...operations, operation]), code, problem)
        await expectContents(storage, kept, "A batch of thousands that was refused changed something")
      }
    },
  },
  {
    id: "batch/thousands-seen-as-a-whole",
    title: "a snapshot, also of another handle, shows a batch of thousands as a whole or not at all",
    needs: { atomicBatch: true, snapshots: true },
    check: async (lab) => {
      await watched(lab.storage, async (isDone) => {
        const reader = await otherHandle(lab)
        for (let scan = 1; scan <= 200 && !isDone(); scan++) {
          const [one, other] = await entriesOf(reader.scanMany([["a"], ["z"]], { snapshot: true }))
          expectSame(one?.value, other?.value, "A snapshot shows a part of a batch of thousands")
          if (scan % 4 === 0) await setImmediate()
        }
      })
    },
  },
  {
    id: "batch/thousands-read-as-a-whole",
    title: "once one record of a batch of thousands can be read, also by another handle, all of them can",
    needs: { atomicBatch: true },
    check: async (lab) => {
      await watched(lab.storage, async (isDone) => {
        const reader = await otherHandle(lab)
        for (let round = 1; round <= 200 && !isDone(); round++) {
          for (const [one, other] of [
            [first, last],
            [last, first],
          ] as const) {
            const seen = await reader.read<number>(one)
            const next = await reader.read<number>(other)
            expectThat(
              next >= seen,
              "A record of a batch of thousands was read before all of them were there",
            )
          }
          if (round % 4 === 0) await setImmediate()
        }
      })
    },
  },
  {
    id: "batch/thousands-in-opposite-order",
    title:
      "batches of several handles with their keys in opposite order all succeed, and one wins on every key",
    needs: { multiProcess: true },
    check: async (lab) => {
      const { storage } = lab
      const shared = spacedKeys(["shared"], 1_200)
      const handles = [storage, await lab.openAgain(), await lab.openAgain()]
      const batches = handles.map((handle, number) => {
        const operations = shared.map((key) => write(key, { number }))
        if (number % 2 === 1) operations.reverse()
        const batch = [...operations, write(["own", String(number)], { number })]
        return expectSuccess(() => handle.batch(batch), "A batch failed beside another one in opposite order")
      })
      await Promise.all(batches)
      const own = handles.map((_, number) => ({ key: ["own", String(number)], value: { number } }))
      expectSame(await entriesOf(storage.scan(["own"])), own, "Of batches of several handles one is lost")
      const values = (await entriesOf(storage.scan(["shared"]))).map(({ value }) => value)
      expectSame(values.length, shared.length, "Records that several handles wrote are missing")
      if (!storage.capabilities.atomicBatch) return
      const winner = shared.map(() => values[0])
      expectSameList(values, winner, "Records that every batch writes come from different batches")
    },
  },
]

/** Replaces all records a few times by batches, and lets somebody watch each of them. */
async function watched(storage: Storage, watch: (isDone: () => boolean) => Promise<void>): Promise<void> {
  await storage.batch(writes(0))
  for (let number = 1; number <= 3; number++) {
    let done = false
    const batch = storage.batch(writes(number)).finally(() => {
      done = true
    })
    await Promise.all([batch, watch(() => done)])
  }
}

function writes(value: unknown): Operation[] {
  return keys.map((key) => write(key, value))
}

function write(key: Key, value: unknown): Operation {
  return { type: "write", key, value }
}

function remove(key: Key): Operation {
  return { type: "remove", key }
}
