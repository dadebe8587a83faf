import { spawn } from "node:child_process"
import { once } from "node:events"
import { cp, readdir, rm, stat, writeFile } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { fileURLToPath } from "node:url"
import { copyDatabase, copyFixture, fixturePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { rowsOf, upgraded } from "../testing/database.js"
import { fillStore } from "../testing/many-records.js"
import { sessile } from "../testing/program.js"
import { stateOf } from "../testing/tree.js"

const program = fileURLToPath(new URL("../../bin/sessile.js", import.meta.url))
const POINTS = 6

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })

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
  expect((await rescue(whole, "--yes", "--quiet")).code).toBe(0)
  const duration = performance.now() - start

  let cutShort = 0
  for (let point = 0; point < POINTS; point++) {
    const isNew = point % 2 === 0
    const data = await dataFolder(`data-${point}`, isNew)
    // The first third passes before anything is written.
    const patience = duration * (1 / 3 + Math.random() / 2)
    cutShort += (await killAfter(patience, data)) ? 1 : 0

    const next = await rescue(data, "--yes", "--quiet")
    expect(next, `after ${patience} ms`).toEqual({ code: 0, stdout: "", stderr: "" })
    const { stdout } = await rescue(data, "--json")
    const { outcome, conversion } = JSON.parse(stdout)
    expect({ outcome, ...conversion.ledger }).toEqual({
      outcome: "nothing",
      found,
      written: 0,
      present: found,
      setAside: 0,
    })
    const names = await besideDatabase(data)
    const backups = names.filter((name) => name.endsWith(".backup"))
    expect(backups).toHaveLength(isNew ? 0 : 1)
    expect(names).toEqual(["opencode.db", ...backups, "opencode.db.rescue.json"])
    const after = rowsOf(join(data, "opencode.db"))
    if (isNew) continue
    expect(rowsOf(join(data, backups[0] ?? ""))).toEqual(before)
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table]?.slice(0, rows.length)).toEqual(rows)
    }
  }
  // A machine that is less busy than at first may be done before it is killed.
  expect(cutShort).toBeGreaterThan(0)
  expect(await stateOf(source)).toEqual(files)
})

describe("after a rescue that was cut short", () => {
  test("between any two steps, the next one leaves one backup, of the state before, and nothing partial", async () => {
    await using native = await copyDatabase("native-1.18.34")
    const before = rowsOf(native.database)
    await cp(fixturePath("v1.1.65"), native.path, { recursive: true })
    const startedAt = Date.parse("2026-11-18T10:00:00.123Z")
    const backup = `${native.database}.20261118T100000123Z.backup`
    const journal = JSON.stringify({
      schemaVersion: 1,
      sessions: [],
      unfinished: { startedAt, isNewDatabase: false, backup },
    })
    const steps = [
      // Killed before, while and after the backup was made, and while sessions were written.
      async () => undefined,
      async () => writeFile(`${backup}.${hostname().replaceAll(/[^\w.-]/g, "_")}-9999999.partial`, "half"),
      async () => cp(native.database, backup),
      async () => {
        await rescue(native.path, "--yes", "--quiet", "--no-backup")
        withSql(native.database, (database) => {
          database.pragma("foreign_keys = ON")
          database.exec("DELETE FROM session WHERE title = 'Plan mode'")
        })
      },
    ]
    for (const step of steps) {
      await step()
      await writeFile(`${native.database}.rescue.json`, journal)
      expect((await rescue(native.path, "--yes", "--quiet")).code).toBe(0)
      expect(await besideDatabase(native.path)).toEqual([
        "opencode.db",
        "opencode.db.20261118T100000123Z.backup",
        "opencode.db.rescue.json",
      ])
      expect(rowsOf(backup)).toEqual(before)
      await cp(backup, native.database)
      if (step !== steps.at(-2)) await rm(backup)
    }
  })

  test("while it made the database, the next one makes it, without a backup", async () => {
    await using data = await copyFixture("v1.1.65")
    const path = join(data.path, "opencode.db")
    withSql(path, (database) => database.pragma("journal_mode = WAL"))
    expect((await stat(path)).size).toBeGreaterThan(0)
    const unfinished = { startedAt: Date.now(), isNewDatabase: true, backup: null }
    await writeFile(`${path}.rescue.json`, JSON.stringify({ schemaVersion: 1, sessions: [], unfinished }))
    expect(await rescue(data.path, "--yes", "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" })
    expect(await besideDatabase(data.path)).toEqual(["opencode.db", "opencode.db.rescue.json"])
    expect(rowsOf(path).session).toHaveLength(14)
  })

  test("and with nothing left to write, no backup is made", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    const startedAt = Date.now()
    const unfinished = { startedAt, isNewDatabase: false, backup: null }
    const text = JSON.stringify({ schemaVersion: 1, sessions: [], unfinished })
    await writeFile(`${data.database}.rescue.json`, text)
    expect((await rescue(data.path, "--yes", "--quiet")).code).toBe(0)
    expect(await besideDatabase(data.path)).toEqual(["opencode.db", "opencode.db.rescue.json"])
  })

  test("and after opencode was used meanwhile, a new backup has what it added", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const startedAt = Date.parse("2026-11-18T10:00:00.123Z")
    const backup = `${data.database}.20261118T100000123Z.backup`
    await cp(data.database, backup)
    const unfinished = { startedAt, isNewDatabase: false, backup }
    const text = JSON.stringify({ schemaVersion: 1, sessions: [], unfinished })
    await writeFile(`${data.database}.rescue.json`, text)
    withSql(data.database, (database) =>
      database.exec(`UPDATE session SET title = 'Used', time_updated = ${startedAt + 1}`),
    )
    const used = rowsOf(data.database)
    const { stdout } = await rescue(data.path, "--yes", "--json")
    const { backup: newBackup } = JSON.parse(stdout).conversion
    expect(newBackup).not.toBe(backup)
    expect(rowsOf(newBackup)).toEqual(used)
  })
})

/** The files of a database, without the log that a killed process leaves. */
async function besideDatabase(data: string): Promise<string[]> {
  const names = await readdir(data)
  return names.filter((name) => /^opencode\.db(?!-wal|-shm)/.test(name)).sort()
}

/** Whether the program was still at work. */
async function killAfter(patience: number, data: string): Promise<boolean> {
  const child = spawn(process.execPath, [program, "rescue", "--yes", "--quiet"], {
    stdio: "ignore",
    env: { ...process.env, OPENCODE_DATA_DIR: data },
  })
  const exit = once(child, "exit")
  await Promise.race([setTimeout(patience), exit])
  child.kill("SIGKILL")
  const [, signal] = await exit
  return signal === "SIGKILL"
}
