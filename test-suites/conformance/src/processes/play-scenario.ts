import { readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Storage, StorageError } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat } from "../assertions.js"
import { ContractSkip } from "../contract.js"
import type { Harness, Place } from "../harness.js"
import { crashRecord } from "./crash-record.js"
import { SMALL_MEDIUM } from "./medium.js"
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
  if (scenario.name === "meet-read-only-medium") return meetReadOnlyMedium(harness, place)
  const storage = await reopen(harness, place, false)
  if (scenario.name === "write-endlessly") await writeEndlessly(storage, scenario.size, report)
  if (scenario.name === "batch-endlessly") await batchEndlessly(storage, scenario.records, report)
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

async function fillMedium(storage: Storage, { folder }: Place): Promise<void> {
  await storage.write(["first"], {})
  if ((await readdir(folder)).length === 0) throw new ContractSkip("the store keeps nothing in its folder")
  // Removing records need not give space back, and may need some itself; removing this file does.
  const ballast = join(folder, "ballast")
  await writeFile(ballast, Buffer.alloc(SMALL_MEDIUM / 4))
  const text = "x".repeat(256 * 1024)
  let written = 0
  try {
    while (written * text.length <= 2 * SMALL_MEDIUM) {
      await storage.write(["filling", String(written)], { text })
      written++
    }
  } catch (error) {
    if (!StorageError.is(error, "FULL")) throw error
  }
  expectThat(
    written * text.length <= 2 * SMALL_MEDIUM,
    "More was written than the medium holds, without an error",
  )
  expectThat(written > 0, "Nothing could be written to a medium with space left")
  for (let index = 0; index < written; index++) {
    const key = ["filling", String(index)]
    expectSame(await storage.read(key), { text }, "A full medium spoilt a record that was acknowledged", key)
  }
  const failed = ["filling", String(written)]
  await expectRejection(
    () => storage.read(failed),
    "NOT_FOUND",
    "A write that failed left something behind",
    failed,
  )
  await rm(ballast)
  await storage.write(["after"], { text: "fits again" })
  expectSame(
    await storage.read(["after"]),
    { text: "fits again" },
    "The store did not recover from a full medium",
  )
  await storage.close()
}

async function reopen(harness: Harness, place: Place, readonly: boolean): Promise<Storage> {
  if (harness.reopen === undefined) throw new StorageError("UNSUPPORTED", "The harness has no reopen")
  return harness.reopen(place, { readonly })
}
