import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import { copyFixture, withSql } from "@sessile/fixtures"
import { OpencodeStorage } from "@sessile/opencode-db"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { rowsOf, upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { damage, project } from "../testing/sample.js"
import { stateOf } from "../testing/tree.js"

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })

describe("after an upgrade that left everything behind", () => {
  test("all sessions are there again, those of before too, and a second run does nothing", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const files = await stateOf(join(data.path, "storage"))
    const before = rowsOf(data.database)
    const { code, stdout, stderr } = await rescue(data.path, "--yes")
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toMatch(/12 +not shown by opencode: only in the JSON files/)
    expect(stdout).toMatch(/2 +subagent sessions/)
    expect(stdout).toMatch(/7 +only in the database/)
    expect(stdout).toContain(
      "Not shown by opencode, project /home/dev/code/acme: 12 sessions (and 2 subagent sessions)",
    )
    expect(stdout).toContain("Plan mode")
    expect(stdout).toContain("Brought in: 12 sessions (and 2 subagent sessions), 248 records")
    expect(stdout).toContain("Backup: ")
    expect(stdout).toContain("Verified: 262 records")
    expect(await stateOf(join(data.path, "storage"))).toEqual(files)
    for (const [table, rows] of Object.entries(before)) {
      expect(rowsOf(data.database)[table]?.slice(0, rows.length)).toEqual(rows)
    }

    const after = await stateOf(data.path)
    const again = await rescue(data.path)
    expect({ code: again.code, stderr: again.stderr }).toEqual({ code: 0, stderr: "" })
    expect(again.stdout).toContain("Nothing to do")
    expect(await stateOf(data.path)).toEqual(after)
  })

  test("opencode may be running", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const running = new SqliteDatabase(data.database)
    running.exec("UPDATE session SET time_updated = time_updated + 1")
    expect((await rescue(data.path, "--yes")).code).toBe(0)
    expect(running.prepare("SELECT count(*) FROM session").pluck().get()).toBe(21)
    running.close()
  })

  test("a plan alone changes nothing, for people and for machines", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = await stateOf(data.path)
    const plan = await rescue(data.path, "--dry-run")
    expect(plan).toMatchObject({ code: 0, stderr: "" })
    expect(plan.stdout).toContain("To bring in: 12 sessions (and 2 subagent sessions), 248 records")
    expect(plan.stdout).toContain("Dry run: nothing was written.")
    const { code, stdout } = await rescue(data.path, "--dry-run", "--json")
    expect(code).toBe(0)
    const report = JSON.parse(stdout)
    expect(report).toMatchObject({
      schemaVersion: 1,
      command: "rescue",
      outcome: "planned",
      source: `json:${data.path}`,
      target: `opencode:${data.database}`,
      newDatabase: false,
      sessions: { missing: 14, missingChildren: 2, deleted: 0, both: 0, databaseOnly: 7 },
      projects: [{ id: project, worktree: "/home/dev/code/acme", both: 0, databaseOnly: 7 }],
      conversion: { command: "convert", dryRun: true, ledger: { written: 248 } },
    })
    expect(report.projects[0].missing).toHaveLength(14)
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("without a terminal and without --yes it asks for --yes, exit code 2, and changes nothing", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = await stateOf(data.path)
    const { code, stdout, stderr } = await rescue(data.path)
    expect(code).toBe(2)
    expect(stdout).toContain("To bring in: 12 sessions (and 2 subagent sessions), 248 records")
    expect(stderr).toContain("stdin is not a terminal; pass --yes to import without asking")
    const machine = await rescue(data.path, "--json")
    expect(JSON.parse(machine.stdout)).toMatchObject({
      command: "rescue",
      error: { code: "USAGE", exitCode: 2 },
    })
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("--no-backup makes none, --quiet says nothing", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    expect(await rescue(data.path, "--yes", "--no-backup", "--quiet")).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    })
    expect((await readdir(data.path)).sort()).toEqual([
      "exports",
      "opencode.db",
      "opencode.db.rescue.json",
      "storage",
    ])
  })
})

describe("what is in both", () => {
  test("is nothing to do after opencode's own import", async () => {
    await using data = await upgraded("migrated-by-1.2.27", "v1.1.65")
    const before = await stateOf(data.path)
    const { code, stdout } = await rescue(data.path)
    expect(code).toBe(0)
    expect(stdout).toMatch(/14 +in both/)
    expect(stdout).toContain("Nothing to do")
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("stays as the database has it: continued, or moved to another project", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    const [continued, moved] = ["ses_e1e7b3eeaffeHsyI3sfsmFre0s", ...someSessions(data.database)]
    withSql(data.database, (database) => {
      database.pragma("foreign_keys = ON")
      database.exec(
        "INSERT INTO project (id, worktree, time_created, time_updated, sandboxes) VALUES ('new', '/new', 1, 1, '[]')",
      )
      database.prepare("UPDATE session SET title = 'Continued' WHERE id = ?").run(continued)
      database.prepare("UPDATE session SET project_id = 'new' WHERE id = ?").run(moved)
    })
    const { code, stdout } = await rescue(data.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ outcome: "nothing", sessions: { missing: 0, both: 14 } })
    await using storage = await OpencodeStorage.open({ path: data.database, readonly: true })
    expect(await storage.read(["session", project, continued])).toMatchObject({ title: "Continued" })
    expect(await storage.list(["session", "new"])).toEqual([["session", "new", moved]])
  })
})

describe("what opencode removed from a session that it went on with", () => {
  const session = "ses_e1e7b3eeaffeHsyI3sfsmFre0s"
  const isContinued = `UPDATE session SET time_updated = time_updated + 60000 WHERE id = '${session}'`
  const count = (path: string, table: string) =>
    withSql(path, (database) =>
      database.prepare(`SELECT count(*) FROM ${table} WHERE session_id = ?`).pluck().get(session),
    )

  /** A database in which the last message of the session is gone, and a part of the first one. */
  async function withRemovals(sql: string) {
    const data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    withSql(data.database, (database) => {
      database.pragma("foreign_keys = ON")
      const messages = database
        .prepare<[string], string>("SELECT id FROM message WHERE session_id = ? ORDER BY id")
        .pluck()
        .all(session)
      database.prepare("DELETE FROM message WHERE id = ?").run(messages.at(-1))
      database
        .prepare("DELETE FROM part WHERE id IN (SELECT id FROM part WHERE message_id = ? LIMIT 1)")
        .run(messages[0])
      database.exec(sql)
    })
    return data
  }

  test("is left out, named in the plan and in the report, and nothing to do", async () => {
    await using data = await withRemovals(isContinued)
    const before = await stateOf(data.path)
    const plan = await rescue(data.path, "--yes")
    expect({ code: plan.code, stderr: plan.stderr }).toEqual({ code: 0, stderr: "" })
    expect(plan.stdout).toContain("Nothing to do")
    expect(plan.stdout).toContain("Removed in opencode from sessions used since, and left out")
    const command = `sessile rescue --session ${session}`
    expect(plan.stdout).toContain(command)
    const { removed, conversion } = JSON.parse((await rescue(data.path, "--yes", "--json")).stdout)
    expect(removed).toEqual([
      { id: session, title: expect.any(String), records: expect.any(Number), command },
    ])
    const left = conversion.records.filter(({ reason }: { reason?: string }) =>
      reason?.includes("deleted in opencode"),
    )
    expect(left).toHaveLength(removed[0].records)
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("does not keep other sessions out, nor is it a failure", async () => {
    await using data = await withRemovals(isContinued)
    const [, other] = someSessions(data.database)
    withSql(data.database, (database) => {
      database.pragma("foreign_keys = ON")
      database.prepare("DELETE FROM session WHERE id = ?").run(other)
      // As if no importer of opencode had ever seen the files.
      database.exec("DELETE FROM __drizzle_migrations")
    })
    const messages = count(data.database, "message")
    expect((await rescue(data.path, "--yes")).code).toBe(0)
    expect(count(data.database, "message")).toBe(messages)
    await using storage = await OpencodeStorage.open({ path: data.database, readonly: true })
    expect(await storage.list(["session"])).toHaveLength(14)
  })

  test("comes back with the command that the plan gives", async () => {
    await using data = await withRemovals(isContinued)
    const [{ command }] = JSON.parse((await rescue(data.path, "--dry-run", "--json")).stdout).removed
    const [, , ...args] = command.split(" ")
    expect((await rescue(data.path, ...args, "--yes")).code).toBe(0)
    await using original = await upgraded("migrated-by-1.15.13", "v1.1.65")
    for (const table of ["message", "part"]) {
      expect(count(data.database, table)).toBe(count(original.database, table))
    }
    expect(JSON.parse((await rescue(data.path, "--dry-run", "--json")).stdout).removed).toEqual([])
  })

  test("is what an import lost when the session was not used since: it is brought in", async () => {
    await using data = await withRemovals("")
    await using original = await upgraded("migrated-by-1.15.13", "v1.1.65")
    const { code, stdout } = await rescue(data.path, "--yes", "--json")
    expect(code).toBe(0)
    expect(JSON.parse(stdout).removed).toEqual([])
    for (const table of ["message", "part"]) {
      expect(count(data.database, table)).toBe(count(original.database, table))
    }
  })
})

test("a data folder with nothing but the files of a 0.x release gets the database and its journal, and no other file", async () => {
  await using data = await copyFixture("v0.5.29")
  const before = await stateOf(join(data.path, "project"))
  const { code, stdout } = await rescue(data.path, "--yes")
  expect(code).toBe(0)
  expect(stdout).toContain("Completed with fields that opencode needs")
  expect((await readdir(data.path)).sort()).toEqual(["opencode.db", "opencode.db.rescue.json", "project"])
  expect(await stateOf(join(data.path, "project"))).toEqual(before)
  expect((await rescue(data.path)).stdout).toContain("Nothing to do")
})

test("a plan names parts that belong nowhere, as the run that follows does, exit code 8", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  const folder = join(data.path, "storage", "part", "msg_nobody")
  await mkdir(folder)
  await writeFile(join(folder, "prt_lonely.json"), JSON.stringify({ type: "text" }))
  const ledgers = []
  for (const option of ["--dry-run", "--yes"]) {
    const { code, stdout } = await rescue(data.path, option, "--json")
    const { ledger, records } = JSON.parse(stdout).conversion
    ledgers.push(ledger)
    expect(code).toBe(8)
    const lonely = records.find(({ key }: { key: string[] }) => key[2] === "prt_lonely")
    expect(lonely).toMatchObject({
      outcome: "setAside",
      reason: expect.stringContaining("does not tell its session"),
    })
  }
  expect(ledgers[1]).toEqual(ledgers[0])
})

test("records that cannot be read are named, exit code 8, and all others are brought in", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  await damage(join(data.path, "storage"))
  const before = await stateOf(join(data.path, "storage"))
  const { code, stdout, stderr } = await rescue(data.path, "--yes")
  expect(code).toBe(8)
  expect(stderr).toContain("3 records could not be brought in, and stay in the JSON files")
  expect(stdout).toContain(
    "Not brought in; these stay in the JSON files: 3 records\n  message/ses_a/msg_empty\n",
  )
  expect(stdout + stderr).not.toContain("top secret")
  expect(await stateOf(join(data.path, "storage"))).toEqual(before)
  expect((await readdir(data.path)).filter((name) => name.includes("set-aside"))).toEqual([])
  const again = await rescue(data.path)
  expect(again.code).toBe(8)
  expect(again.stdout).toContain("Cannot be brought in: 3 records\n  message/ses_a/msg_empty\n")
  expect(again.stdout).toContain("Nothing to do: the database has all sessions that can be read.")
  expect(again.stderr).toContain("3 records cannot be brought in")
})

test("sessions from before the wrap of ids come with the release that continues them", async () => {
  await using data = await copyFixture("v1.1.65-id-wrap")
  const { stdout } = await rescue(data.path, "--dry-run")
  expect(stdout).toContain("1 session has messages from before 2026-08-14T11:19:55.136Z")
  expect(stdout).toContain("needs opencode 1.18.15 or later")
  const { sessionsBeforeWrap } = JSON.parse((await rescue(data.path, "--dry-run", "--json")).stdout)
  expect(sessionsBeforeWrap).toHaveLength(1)
})

test("a session whose messages have no content is named, exit code 8", async () => {
  await using data = await copyFixture("v1.1.65")
  const messages = await readdir(join(data.path, "storage", "message", "ses_e1e7b3e26ffeqCv6i4R5DWPSD2"))
  for (const message of messages) {
    await rm(join(data.path, "storage", "part", basename(message, ".json")), { recursive: true })
  }
  const { code, stdout } = await rescue(data.path, "--yes")
  expect(code).toBe(8)
  expect(stdout).toContain("1 session without any content in the JSON files: opencode shows nothing in it")
})

test("a database of opencode 2.x brings a warning of what will be visible", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  withSql(data.database, (database) =>
    database.exec("CREATE TABLE session_v2 (id); INSERT INTO session_v2 VALUES ('ses_a')"),
  )
  const { code, stderr } = await rescue(data.path, "--yes")
  expect(code).toBe(0)
  expect(stderr.match(/2\.x will not/g)).toHaveLength(1)
})

/** Two sessions without others that belong to them, and without to-dos. */
function someSessions(path: string): [string, string] {
  const sql =
    "SELECT id FROM session WHERE parent_id IS NULL AND id NOT IN (SELECT session_id FROM todo) ORDER BY id"
  const [first, second] = withSql(path, (database) => database.prepare(sql).pluck().all()) as string[]
  return [first as string, second as string]
}
