import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"

/** More for a run by hand. */
const KILLS = Number(process.env.KILLS ?? 8)

const script = fileURLToPath(new URL("testing/write-endlessly.mjs", import.meta.url))

test("what a process leaves behind that is killed while LevelDB replaces files is no damage", {
  timeout: 600_000,
}, async () => {
  await using folder = await temporaryFolder()
  let stored = -1
  for (let kill = 1; kill <= KILLS; kill++) {
    stored = await killedAfter(folder.path, stored + 1, 40 + ((kill * 37) % 90))
    for (const readonly of [true, false]) {
      await using storage = await LevelStorage.open({ path: folder.path, readonly })
      const records = await gather(storage.scan<{ number: number }>([]))
      const found = await gather(storage.find<{ number: number }>("sessions-by-updated"))
      // The write that was under way may have happened.
      const newest = found.at(-1)?.value.number ?? -1
      expect([stored, stored + 1]).toContain(newest)
      expect(found.map(({ value }) => value.number)).toEqual(
        Array.from({ length: records.length }, (_, index) => newest - records.length + 1 + index),
      )
      stored = newest
    }
  }
})

/** Has a process write records from a number on, kills it after so many, and returns the last number it stored. */
async function killedAfter(path: string, first: number, count: number): Promise<number> {
  const child = spawn(process.execPath, [script, path, String(first)], {
    stdio: ["ignore", "pipe", "inherit"],
  })
  let last = first - 1
  for await (const line of createInterface({ input: child.stdout })) {
    last = Number(line)
    if (last === first + count) child.kill("SIGKILL")
  }
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit")
  return last
}
