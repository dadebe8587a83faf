import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp } from "node:fs/promises"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { copyDatabase, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { rowsOf } from "../testing/database.js"
import { fillStore } from "../testing/many-records.js"
import { sessile } from "../testing/program.js"
import { stateOf } from "../testing/tree.js"

const program = fileURLToPath(new URL("../../bin/sessile.js", import.meta.url))
const POINTS = 6

test("killed at any of 6 random moments, the next run brings in the rest, and nothing of before is lost", {
  timeout: 600_000,
}, async () => {
  await using folder = await temporaryFolder()
  await using native = await copyDatabase("native-1.18.34")
  const before = rowsOf(native.database)
  const source = join(folder.path, "source")
  const found = await fillStore(join(source, "storage"), 20)
  const files = await stateOf(source)

  const dataFolder = async (name: string, isNew: boolean) => {
    const data = join(folder.path, name)
    await cp(source, data, { recursive: true })
    if (!isNew) await cp(native.database, join(data, "opencode.db"))
    return data
  }
  const whole = await dataFolder("whole", true)
  const start = performance.now()
  expect((await sessile(["rescue", "--data", whole, "--yes", "--quiet"])).code).toBe(0)
  const duration = performance.now() - start

  let cutShort = 0
  for (let point = 0; point < POINTS; point++) {
    const isNew = point % 2 === 0
    const data = await dataFolder(`data-${point}`, isNew)
    // The first third passes before anything is written.
    const patience = duration * (1 / 3 + (Math.random() * 2) / 3)
    cutShort += (await killAfter(patience, data)) ? 1 : 0

    const next = await sessile(["rescue", "--data", data, "--yes", "--quiet"])
    expect(next, `after ${patience} ms`).toEqual({ code: 0, stdout: "", stderr: "" })
    const { stdout } = await sessile(["rescue", "--data", data, "--json"])
    const { outcome, conversion } = JSON.parse(stdout)
    expect({ outcome, ...conversion.ledger }).toEqual({
      outcome: "nothing",
      found,
      written: 0,
      present: found,
      setAside: 0,
    })
    const after = rowsOf(join(data, "opencode.db"))
    if (isNew) continue
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table]?.slice(0, rows.length)).toEqual(rows)
    }
  }
  expect(cutShort).toBeGreaterThan(POINTS / 2)
  expect(await stateOf(source)).toEqual(files)
})

/** Whether the program was still at work. */
async function killAfter(patience: number, data: string): Promise<boolean> {
  const child = spawn(process.execPath, [program, "rescue", "--data", data, "--yes", "--quiet"], {
    stdio: "ignore",
  })
  const exit = once(child, "exit")
  await Promise.race([setTimeout(patience), exit])
  child.kill("SIGKILL")
  const [, signal] = await exit
  return signal === "SIGKILL"
}
