import { setImmediate as nextTurn } from "node:timers/promises"
import type { Operation } from "@sessile/core/storage"
import { expectSame, expectThat } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import { crashRecord } from "../processes/crash-record.js"
import type { Outcome } from "../processes/scenario.js"
import type { ScenarioProcess } from "../processes/scenario-process.js"
import { entriesOf } from "./records.js"
import { expectSameList } from "./same-list.js"
import { expectSuccess } from "./store-contents.js"

const PROCESSES = 4
const UPDATES = 25

/** What several operating-system processes can rely on. */
export const processes: ContractGroup = {
  name: "Several processes",
  required: false,
  contracts: [
    {
      id: "processes/writes-are-seen",
      title: "what another process has written can be read at once",
      needs: { multiProcess: true },
      check: async ({ storage, start }) => {
        const other = start({ name: "write-endlessly", size: 100 })
        await other.reached(10)
        await other.kill()
        for (let step = 1; step <= 10; step++) {
          const { key, value } = crashRecord(step, 100)
          expectSame(
            await storage.read(key),
            value,
            "A record of another process is missing or different",
            key,
          )
        }
      },
    },
    {
      id: "processes/updates-are-not-lost",
      title: "updates of one record by several processes at once all count",
      needs: { multiProcess: true },
      check: async ({ storage, start }) => {
        const key = ["counter"]
        await storage.write(key, { count: 0 })
        const others = Array.from({ length: PROCESSES }, () => start({ name: "increment", times: UPDATES }))
        let own = 0
        const outcomes = await untilEnded(others, async () => {
          await storage.update<{ count: number }>(key, (draft) => {
            draft.count++
          })
          own++
        })
        for (const outcome of outcomes) {
          expectSame(outcome, {}, "A process that updated a shared record failed", key)
        }
        const expected = { count: PROCESSES * UPDATES + own }
        expectSame(await storage.read(key), expected, "Updates of several processes were lost", key)
      },
    },
    {
      id: "processes/batches-in-opposite-order",
      title: "batches of several processes with their keys in opposite order all succeed, and none is lost",
      needs: { multiProcess: true },
      check: async ({ storage, start }) => {
        // More than a request takes where that is one transaction; elsewhere each record is written by itself.
        const records = storage.capabilities.atomicBatch ? 1_200 : 200
        const names = ["a", "b"]
        const others = names.map((own, index) =>
          start({ name: "batch-in-order", records, times: 3, reverse: index === 1, own }),
        )
        for (const other of others) await other.reached(1)
        await storage.write(["go"], true)
        const keys = Array.from({ length: records }, (_, index) => ["batch", String(index)]).reverse()
        const outcomes = await untilEnded(others, () => {
          const batch = keys.map((key): Operation => ({ type: "write", key, value: "here" }))
          return expectSuccess(() => storage.batch(batch), "A batch failed beside those of other processes")
        })
        for (const outcome of outcomes) {
          expectSame(outcome, {}, "A batch of another process failed beside those of others")
        }
        const own = names.flatMap((name) =>
          [1, 2, 3].map((step) => ({ key: ["own", name, String(step)], value: step })),
        )
        expectSame(await entriesOf(storage.scan(["own"])), own, "A batch of one of several processes is lost")
        const values = (await entriesOf(storage.scan(["batch"]))).map(({ value }) => value)
        expectSame(values.length, records, "Records that several processes wrote are missing")
        if (!storage.capabilities.atomicBatch) return
        const winner = values.map(() => values[0])
        expectSameList(values, winner, "Records that every batch writes come from different batches")
      },
    },
    {
      id: "processes/held-store-is-locked",
      title:
        "a store that only one process may hold rejects a second one with LOCKED, until the first lets go",
      needs: { durable: true, multiProcess: false },
      check: async ({ start, close }) => {
        const problem =
          "A second process could open a store that does not declare multiProcess, or got another error"
        expectSame((await start({ name: "open" }).ended()).error, "LOCKED", problem)
        await close()
        const { error } = await start({ name: "open" }).ended()
        expectThat(error === undefined, `A store that was let go of could not be opened: ${error}`)
      },
    },
  ],
}

/** Repeats something until other processes have ended, so that it falls into the work of each of them. */
async function untilEnded(
  others: readonly ScenarioProcess[],
  action: () => Promise<void>,
): Promise<Outcome[]> {
  let isOver = false
  const outcomes = Promise.all(others.map((other) => other.ended())).finally(() => {
    isOver = true
  })
  // When the action fails nobody asks for the outcomes any more.
  outcomes.catch(() => undefined)
  while (!isOver) {
    await action()
    // Some stores do everything at once, and the end of a process is heard between turns alone.
    await nextTurn()
  }
  return outcomes
}
