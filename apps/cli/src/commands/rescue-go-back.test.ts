import { execFileSync } from "node:child_process"
import { existsSync } from "node:fs"
import { cp, mkdir } from "node:fs/promises"
import { join } from "node:path"
import { copyFixture, temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { rowsOf, upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { filesOf } from "../testing/tree.js"

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })

/** Runs the command that the output gives, exactly as it is printed. */
function goBack(stdout: string): void {
  const [, command = ""] = /To (?:go back|remove) .*:\n {2}(.+)\n/.exec(stdout) ?? []
  expect(command).not.toBe("")
  execFileSync("sh", ["-euc", command])
}

describe.skipIf(process.platform === "win32")("the command to go back (POSIX shells only)", () => {
  test("makes the database what it was, and a rescue after it brings everything in again", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = rowsOf(data.database)
    const { stdout } = await rescue(data.path, "--yes")
    expect(rowsOf(data.database)).not.toEqual(before)
    goBack(stdout)
    expect(rowsOf(data.database)).toEqual(before)
    expect((await rescue(data.path, "--yes")).stdout).toContain("Brought in: 12 sessions")
  })

  test("works in folders with any name, and with a log of newer rows beside the database", async () => {
    await using folder = await temporaryFolder()
    await using original = await upgraded("native-1.18.34", "v1.1.65")
    const data = join(folder.path, "it's my $HOME; really")
    await mkdir(data)
    await cp(original.path, data, { recursive: true })
    const database = join(data, "opencode.db")
    const before = rowsOf(database)
    const { stdout } = await rescue(data, "--yes")
    // As a killed opencode leaves it: changes in the log only.
    const running = new SqliteDatabase(database)
    running.pragma("journal_mode = WAL")
    running.pragma("wal_autocheckpoint = 0")
    running.exec("UPDATE session SET title = 'Newer'")
    const left = join(folder.path, "left")
    await mkdir(left)
    for (const suffix of ["", "-wal", "-shm"]) await cp(database + suffix, join(left, `opencode.db${suffix}`))
    running.close()
    await cp(left, data, { recursive: true })
    expect(existsSync(`${database}-wal`)).toBe(true)
    goBack(stdout)
    expect(existsSync(`${database}-wal`)).toBe(false)
    expect(rowsOf(database)).toEqual(before)
  })

  test("removes a database that the rescue made", async () => {
    await using data = await copyFixture("v1.1.65")
    const before = await filesOf(data.path)
    const { stdout } = await rescue(data.path, "--yes")
    goBack(stdout)
    expect(await filesOf(data.path)).toEqual(before)
  })
})

test("without a backup the output says that there is no way back", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  const { stdout } = await rescue(data.path, "--yes", "--no-backup")
  expect(stdout).toContain("There is no way back: --no-backup was given.")
  expect(stdout).not.toContain("To go back")
})
