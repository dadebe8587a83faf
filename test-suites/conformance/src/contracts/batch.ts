import { setImmediate } from "node:timers/promises"
import type { BatchOptions, Key, Operation, Storage, StorageErrorCode } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat } from "../assertions.js"
import type { Contract, ContractGroup } from "../contract.js"
import { batchOfThousands } from "./batch-of-thousands.js"
import { entriesOf, fill, recordsAt, spacedKeys } from "./records.js"
import { expectSameList } from "./same-list.js"

export const batch: ContractGroup = {
  name: "Batch",
  required: true,
  contracts: [
    {
      id: "batch/writes-and-removes",
      title: "a batch writes and removes, and leaves other records alone",
      check: async ({ storage }) => {
        await fill(storage, recordsAt([["gone"], ["kept"], ["replaced"]]))
        await storage.batch([
          write(["new", "deep"], 1),
          remove(["gone"]),
          write(["replaced"], 2),
          remove(["absent"]),
        ])
        const expected = [
          { key: ["kept"], value: { at: ["kept"] } },
          { key: ["new", "deep"], value: 1 },
          { key: ["replaced"], value: 2 },
        ]
        expectSame(await entriesOf(storage.scan([])), expected, "A batch left other records than it should")
      },
    },
    {
      id: "batch/in-order",
      title: "the operations of a batch happen in order",
      check: async ({ storage }) => {
        await storage.write(["was-there"], "old")
        await storage.batch([
          write(["write-remove"], 1),
          remove(["was-there"]),
          remove(["remove-write"]),
          remove(["write-remove"]),
          write(["was-there"], "new"),
          write(["remove-write"], 2),
        ])
        const expected = [
          { key: ["remove-write"], value: 2 },
          { key: ["was-there"], value: "new" },
        ]
        expectSame(
          await entriesOf(storage.scan([])),
          expected,
          "Operations on one key did not happen in order",
        )
      },
    },
    {
      id: "batch/last-write-wins",
      title: "of several writes to one key the last one stays",
      check: async ({ storage }) => {
        await storage.batch([1, 2, 3].flatMap((value) => [write(["a"], value), write(["b"], -value)]))
        const problem = "Another write than the last one to its key stayed"
        expectSame(await storage.read(["a"]), 3, problem, ["a"])
        expectSame(await storage.read(["b"]), -3, problem, ["b"])
        expectSame(await storage.list([]), [["a"], ["b"]], "Writing a key several times made several records")
      },
    },
    {
      id: "batch/empty",
      title: "an empty batch does nothing",
      check: async ({ storage }) => {
        await storage.write(["a"], 1)
        await storage.batch([])
        expectSame(
          await entriesOf(storage.scan([])),
          [{ key: ["a"], value: 1 }],
          "An empty batch changed something",
        )
      },
    },
    refused("invalid-key", "an invalid key", "INVALID_KEY", write(["a", ""], 1)),
    refused("invalid-value", "an invalid value", "INVALID_VALUE", write(["a"], { when: new Date(0) })),
    refused("unknown-operation", "an unknown operation", "INVALID_ARGUMENT", {
      type: "append",
      key: ["a"],
      value: 1,
    } as unknown as Operation),
    {
      id: "batch/many-operations",
      title: "a batch takes 5,000 operations",
      check: async ({ storage }) => {
        const keys = spacedKeys(["many"], 4500)
        await storage.batch([
          ...keys.slice(0, 1500).map((key) => write(key, { at: key })),
          ...keys.slice(1000).map(remove),
        ])
        const kept = recordsAt(keys.slice(0, 1000))
        const problem = "A batch of 5,000 operations was not carried out whole"
        expectSameList(await entriesOf(storage.scan([])), kept, problem)
      },
    },
    {
      id: "batch/concurrent",
      title: "of batches at the same time on the same keys, one wins on every key",
      needs: { atomicBatch: true },
      check: async ({ storage }) => {
        const keys = spacedKeys(["shared"], 20)
        for (let round = 0; round < 5; round++) {
          const batches = Array.from({ length: 6 }, (_, number) => {
            const operations = keys.map((key) => write(key, { round, number }))
            // In opposite directions, because batches that keep step with each other mix without a trace.
            return storage.batch(number % 2 === 0 ? operations : operations.reverse())
          })
          await Promise.all(batches)
          const values = (await entriesOf(storage.scan([]))).map(({ value }) => value)
          const problem = "Records that every batch writes come from different batches"
          expectSameList(
            values,
            keys.map(() => values[0]),
            problem,
          )
        }
      },
    },
    {
      id: "batch/seen-as-a-whole",
      title: "a snapshot shows a batch as a whole or not at all",
      needs: { atomicBatch: true, snapshots: true },
      check: async ({ storage }) => {
        // A scan of the pair is short beside the batch, so that several fall within it.
        const keys = [["pair", "first"], ...spacedKeys(["between"], 300), ["pair", "last"]]
        await storage.batch(keys.map((key) => write(key, 0)))
        for (let number = 1; number <= 5; number++) {
          await Promise.all([storage.batch(keys.map((key) => write(key, number))), watchPair(storage)])
        }
      },
    },
    {
      id: "batch/atomic-demand-granted",
      title: "an atomic batch is carried out by a store that declares atomicBatch",
      needs: { atomicBatch: true },
      check: async ({ storage }) => {
        await storage.write(["gone"], 1)
        await storage.batch([write(["a"], 1), remove(["gone"])], { atomic: true })
        expectSame(
          await entriesOf(storage.scan([])),
          [{ key: ["a"], value: 1 }],
          "An atomic batch was not carried out",
        )
      },
    },
    {
      id: "batch/atomic-demand-refused",
      title: "an atomic batch is refused, and changes nothing, where atomicBatch is not declared",
      needs: { atomicBatch: false },
      check: async ({ storage }) => {
        await storage.write(["kept"], 1)
        const operations = [write(["a"], 1), remove(["kept"])]
        const problem = "The store took an atomic batch without declaring atomicBatch"
        await expectRejection(() => storage.batch(operations, { atomic: true }), "UNSUPPORTED", problem)
        expectSame(await storage.list([]), [["kept"]], "A batch that was refused changed something")
        await storage.batch(operations, { atomic: false })
        expectSame(await storage.list([]), [["a"]], "A batch without a demand was not carried out")
      },
    },
    {
      id: "batch/invalid-options",
      title: "an unknown option is refused, and the batch changes nothing",
      check: async ({ storage }) => {
        const options = { atomc: true } as BatchOptions
        const problem = "A batch took an option that does not exist"
        await expectRejection(() => storage.batch([write(["a"], 1)], options), "INVALID_ARGUMENT", problem)
        expectThat((await storage.list([])).length === 0, "A batch that was refused changed something")
      },
    },
    ...batchOfThousands,
  ],
}

function refused(name: string, flaw: string, code: StorageErrorCode, operation: Operation): Contract {
  return {
    id: `batch/${name}`,
    title: `a batch with ${flaw} at its end is refused and changes nothing`,
    check: async ({ storage }) => {
      const records = recordsAt([["kept"], ["there"]])
      await fill(storage, records)
      const operations = [write(["a"], 1), write(["there"], "changed"), remove(["kept"]), operation]
      await expectRejection(() => storage.batch(operations), code, `A batch took ${flaw}`)
      const problem = `A batch that was refused for ${flaw} changed something`
      expectSame(await entriesOf(storage.scan([])), records, problem)
    },
  }
}

async function watchPair(storage: Storage): Promise<void> {
  for (let scan = 1; scan <= 40; scan++) {
    const [first, last] = await entriesOf(storage.scan(["pair"], { snapshot: true }))
    expectSame(first?.value, last?.value, "A snapshot shows a part of a batch")
    // Some stores get on with a batch between the scans, others only when the event loop turns.
    if (scan % 4 === 0) await setImmediate()
  }
}

function write(key: Key, value: unknown): Operation {
  return { type: "write", key, value }
}

function remove(key: Key): Operation {
  return { type: "remove", key }
}
