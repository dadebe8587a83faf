import { rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type Operation, type Storage, StorageError } from "@sessile/core/storage"
import { expectRejection, expectSame, expectThat, gather } from "../assertions.js"
import type { Place } from "../harness.js"
import { SMALL_MEDIUM } from "./medium.js"

/** Writes records until the medium is full, and again when there is space. */
export async function fillMedium(storage: Storage, { folder }: Place): Promise<void> {
  await storage.write(["first"], {})
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

/** Asks for a batch of thousands of records that are twice as much as the medium holds. */
export async function fillMediumByBatch(storage: Storage): Promise<void> {
  const before = [{ key: ["batch", "0"], value: { text: "old" } }]
  for (const { key, value } of before) await storage.write(key, value)
  const count = 4_000
  const text = "x".repeat((2 * SMALL_MEDIUM) / count)
  const operations = Array.from({ length: count }, (_, index): Operation => {
    return { type: "write", key: ["batch", String(index)], value: { text } }
  })
  const problem = "A batch that the medium cannot hold did not reject with FULL"
  await expectRejection(() => storage.batch(operations), "FULL", problem)
  expectSame(await gather(storage.scan([])), before, "A batch that the medium cannot hold happened in part")
  await storage.close()
}
