import { setTimeout as delay } from "node:timers/promises"
import { type Operation, type Storage, StorageError } from "@sessile/core/storage"
import { expectRejection, expectSame } from "../assertions.js"
import type { Harness, Place } from "../harness.js"
import { crashRecord } from "./crash-record.js"
import { fillMedium, fillMediumByBatch } from "./fill-medium.js"
import type { Scenario } from "./scenario.js"

type Report = (step: number) => void

/** Does what a scenario says, and reports each step when it is done. */
export async function play(
  harness: Harness,
  place: Place,
  scenario: Scenario,
  report: Report,
): Promise<void> {
  if (scenario.name === "fill-medium") return fillMedium(await harness.create(place), place)
  if (scenario.name === "fill-medium-by-batch") return fillMediumByBatch(await harness.create(place))
  if (scenario.name === "meet-read-only-medium") return meetReadOnlyMedium(harness, place)
  const storage = await reopen(harness, place, false)
  if (scenario.name === "write-endlessly") await writeEndlessly(storage, scenario.size, report)
  if (scenario.name === "batch-endlessly") await batchEndlessly(storage, scenario.records, report)
  if (scenario.name === "batch-in-order") await batchInOrder(storage, scenario, report)
  if (scenario.name === "increment") await increment(storage, scenario.times, report)
  await storage.close()
}

async function writeEndlessly(storage: Storage, size: number, report: Report): Promise<never> {
  for (let step = 1; ; step++) {
    const { key, value } = crashRecord(step, size)
    await storage.write(key, value)
    report(step)
  }
}

async function batchEndlessly(storage: Storage, records: number, report: Report): Promise<never> {
  const keys = Array.from({ length: records }, (_, index) => ["batch", String(index)])
  for (let step = 1; ; step++) {
    await storage.batch(keys.map((key) => ({ type: "write", key, value: { batch: step } })))
    report(step)
  }
}

async function batchInOrder(
  storage: Storage,
  { records, times, reverse, own }: Scenario & { readonly name: "batch-in-order" },
  report: Report,
): Promise<void> {
  const keys = Array.from({ length: records }, (_, index) => ["batch", String(index)])
  if (reverse) keys.reverse()
  report(1)
  while ((await storage.list([], { gte: ["go"], lte: ["go"] })).length === 0) await delay(1)
  for (let step = 1; step <= times; step++) {
    const operations = keys.map((key): Operation => ({ type: "write", key, value: { own, step } }))
    await storage.batch([...operations, { type: "write", key: ["own", own, String(step)], value: step }])
  }
}

async function increment(storage: Storage, times: number, report: Report): Promise<void> {
  for (let step = 1; step <= times; step++) {
    await storage.update<{ count: number }>(["counter"], (draft) => {
      draft.count++
    })
    report(step)
  }
}

async function meetReadOnlyMedium(harness: Harness, place: Place): Promise<void> {
  const reader = await reopen(harness, place, true)
  expectSame(await reader.read(["kept"]), { value: 1 }, "A read-only medium spoilt reading", ["kept"])
  await reader.close()
  const problem = "Writing to a read-only medium did not reject with READONLY"
  await expectRejection(
    async () => {
      const writer = await reopen(harness, place, false)
      await writer.write(["kept"], { value: 2 }).finally(() => writer.close())
    },
    "READONLY",
    problem,
    ["kept"],
  )
}

async function reopen(harness: Harness, place: Place, readonly: boolean): Promise<Storage> {
  if (harness.reopen === undefined) throw new StorageError("UNSUPPORTED", "The harness has no reopen")
  return harness.reopen(place, { readonly })
}
