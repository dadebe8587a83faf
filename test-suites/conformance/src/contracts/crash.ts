import { setTimeout as delay } from "node:timers/promises"
import type { Storage } from "@sessile/core/storage"
import { expectSame, expectThat, gather } from "../assertions.js"
import type { ContractGroup } from "../contract.js"
import type { Lab } from "../lab.js"
import { crashRecord } from "../processes/crash-record.js"
import type { Scenario } from "../processes/scenario.js"

/** What holds when the process is killed in the middle of its work. */
export const crash: ContractGroup = {
  name: "kill -9",
  required: false,
  contracts: [
    {
      id: "crash/acknowledged-writes-survive",
      title: "every write that was acknowledged is there after the writer was killed",
      needs: { durable: true },
      check: async (lab) => {
        const { storage, done } = await killAtWork(lab, { name: "write-endlessly", size: 1_000 })
        for (let step = 1; step <= done; step++) {
          const { key, value } = crashRecord(step, 1_000)
          const problem = "A write that was acknowledged before the kill is missing or different"
          expectSame(await readOrNothing(storage, key), value, problem, key)
        }
      },
    },
    {
      id: "crash/no-torn-records",
      title: "no record is left in part when its writer was killed",
      needs: { durable: true },
      check: async (lab) => {
        const size = 500_000
        for (let round = 0; round < 4; round++) {
          const { storage } = await killAtWork(lab, { name: "write-endlessly", size }, 6 * round)
          for (const { key, value } of await gather(storage.scan(["crash"]))) {
            expectSame(value, crashRecord(Number(key[1]), size).value, "A kill left a part of a record", key)
          }
        }
      },
    },
    {
      id: "crash/updates-are-whole",
      title: "an update that was under way at the kill happened or did not",
      needs: { durable: true },
      check: async (lab) => {
        const key = ["counter"]
        await lab.storage.write(key, { count: 0 })
        const { storage, done } = await killAtWork(lab, { name: "increment", times: 1_000_000 })
        const { count } = await storage.read<{ count: number }>(key)
        const problem = `${done} updates were acknowledged before the kill, but the record counts ${count}`
        expectThat(count === done || count === done + 1, problem, key)
      },
    },
    {
      id: "crash/batches-are-whole",
      title: "a batch that was under way at the kill happened as a whole or not at all",
      needs: { durable: true, atomicBatch: true },
      check: async (lab) => {
        for (let round = 0; round < 4; round++) {
          const { storage, done } = await killAtWork(lab, { name: "batch-endlessly", records: 50 }, 6 * round)
          await expectWholeBatch(storage, 50, done)
        }
      },
    },
    {
      id: "crash/batches-of-thousands-are-whole",
      title: "a batch of thousands that was under way at the kill happened as a whole or not at all",
      needs: { durable: true, atomicBatch: true },
      check: async (lab) => {
        for (let round = 0; round < 4; round++) {
          const { storage, done } = await killAtWork(
            lab,
            { name: "batch-endlessly", records: 3_000 },
            7 * round,
          )
          await expectWholeBatch(storage, 3_000, done)
        }
      },
    },
    {
      id: "crash/store-goes-on",
      title: "whoever opens the store after a kill can change the same records, time and again",
      needs: { durable: true },
      check: async (lab) => {
        for (let round = 1; round <= 2; round++) {
          const { storage, done } = await killAtWork(lab, { name: "write-endlessly", size: 10 })
          const { key } = crashRecord(done + 1, 10)
          await storage.write(key, { round })
          expectSame(
            await storage.read(key),
            { round },
            "A record that was being written at the kill is stuck",
            key,
          )
        }
      },
    },
  ],
}

async function expectWholeBatch(storage: Storage, records: number, acknowledged: number): Promise<void> {
  const entries = await gather(storage.scan<{ batch: number }>(["batch"]))
  expectSame(entries.length, records, "Records of a batch are missing after a kill", ["batch"])
  const [first] = entries
  for (const { key, value } of entries) {
    expectSame(value, first?.value, "A kill left records of two different batches", key)
  }
  const problem = `Batch ${acknowledged} was acknowledged before the kill, but batch ${first?.value.batch} is there`
  expectThat((first?.value.batch ?? 0) >= acknowledged, problem)
}

/** Lets another process work, kills it at a moment that the seed decides, or so much later, and opens the store again. */
async function killAtWork(
  lab: Lab,
  scenario: Scenario,
  later = 0,
): Promise<{ storage: Storage; done: number }> {
  await lab.close()
  const other = lab.start(scenario)
  await other.reached(1 + (lab.seed % 11))
  await delay((lab.seed % 7) + later)
  await other.kill()
  return { storage: await lab.reopen(), done: other.done }
}

async function readOrNothing(storage: Storage, key: readonly string[]): Promise<unknown> {
  const [entry] = await gather(storage.scan([key[0] as string], { gte: key, lte: key }))
  return entry?.value
}
