import { cp, readFile, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fixturePath, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { rowsOf, upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { project } from "../testing/sample.js"

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })
const reportOf = async (run: ReturnType<typeof sessile>) => JSON.parse((await run).stdout)

const planMode = "ses_e1e7b3e26ffeqCv6i4R5DWPSD2"
const errors = "ses_e1e7b3e67ffe8RwozvJe8Ul0nt"
const withChildren = "ses_e1e7b3f5cffennBdQUADz2d8x5"

/** Deletes sessions as opencode does: with all that belongs to them, and without a trace. */
function deleteSessions(database: string, ...ids: string[]): void {
  withSql(database, (sql) => {
    sql.pragma("foreign_keys = ON")
    for (const id of ids) sql.prepare("DELETE FROM session WHERE id = ?").run(id)
  })
}

function sessionsIn(database: string): string[] {
  return withSql(database, (sql) => sql.prepare("SELECT id FROM session").pluck().all()) as string[]
}

describe.each([
  ["opencode's own import", () => upgraded("migrated-by-1.2.27", "v1.1.65")],
  [
    "an earlier rescue",
    async () => {
      const data = await upgraded("native-1.18.34", "v1.1.65")
      await rescue(data.path, "--yes", "--quiet", "--no-backup")
      return data
    },
  ],
])("a session that was deleted in opencode after %s", (_, make) => {
  test("is not brought back, and shown apart with the command that does", async () => {
    await using data = await make()
    const all = rowsOf(data.database)
    deleteSessions(data.database, planMode, errors)
    const { code, stdout } = await rescue(data.path, "--yes")
    expect(code).toBe(0)
    expect(stdout).toContain("Deleted in opencode, and left out: 2 sessions")
    expect(stdout).toContain(`Plan mode\n    sessile rescue --session ${planMode}\n`)
    expect(stdout).toContain("sessile rescue --include-deleted")
    expect(stdout).toContain("Nothing to do: the database has all other sessions.")
    expect(sessionsIn(data.database)).not.toContain(planMode)

    const { outcome, sessions, projects } = await reportOf(rescue(data.path, "--yes", "--json"))
    expect({ outcome, sessions }).toMatchObject({ outcome: "nothing", sessions: { missing: 0, deleted: 2 } })
    expect(projects[0].deleted.map(({ id }: { id: string }) => id).sort()).toEqual([planMode, errors])

    expect((await rescue(data.path, "--yes", "--session", planMode)).code).toBe(0)
    expect(sessionsIn(data.database)).toContain(planMode)
    expect(sessionsIn(data.database)).not.toContain(errors)
    expect((await rescue(data.path, "--yes", "--include-deleted")).code).toBe(0)
    const idsOf = (rows: unknown[] = []) => rows.map((row) => (row as unknown[])[0]).sort()
    for (const table of ["session", "message", "part", "todo"]) {
      expect(idsOf(rowsOf(data.database)[table])).toEqual(idsOf(all[table]))
    }
  })

  test("does not keep a session out that was never there", async () => {
    await using data = await make()
    deleteSessions(data.database, planMode)
    const path = join(data.path, "storage", "session", project, `${planMode}.json`)
    const later = { ...JSON.parse(await readFile(path, "utf8")), id: "ses_later", title: "Later" }
    later.time.updated = Date.now()
    await writeFile(join(data.path, "storage", "session", project, "ses_later.json"), JSON.stringify(later))
    const { sessions, projects } = await reportOf(rescue(data.path, "--yes", "--json"))
    expect(sessions).toMatchObject({ missing: 1, deleted: 1 })
    expect(projects[0].missing).toMatchObject([{ id: "ses_later" }])
    expect(sessionsIn(data.database)).toContain("ses_later")
    expect(sessionsIn(data.database)).not.toContain(planMode)
  })
})

describe("a session counts as never imported, and is brought in,", () => {
  const missingAfter = async (change: (data: { path: string; database: string }) => unknown) => {
    await using data = await upgraded("migrated-by-1.2.27", "v1.1.65")
    deleteSessions(data.database, planMode)
    await change(data)
    const { sessions } = await reportOf(rescue(data.path, "--dry-run", "--json"))
    return sessions
  }

  test("where opencode's importer cannot have seen its project", async () => {
    const sessions = await missingAfter(async ({ path, database }) => {
      await rm(join(path, "storage", "project", `${project}.json`))
      withSql(database, (sql) => sql.exec("UPDATE project SET time_created = 1"))
    })
    expect(sessions).toMatchObject({ missing: 1, deleted: 0 })
  })

  test("where it is in files of 0.x, which the importer does not read", async () => {
    const sessions = await missingAfter(({ path }) => cp(fixturePath("v0.5.29"), path, { recursive: true }))
    expect(sessions).toMatchObject({ missing: 9, deleted: 1 })
  })

  test("where the importer lost messages of others, as it does when it is killed", async () => {
    const sessions = await missingAfter(({ database }) =>
      withSql(database, (sql) => sql.exec("DELETE FROM message")),
    )
    expect(sessions).toMatchObject({ missing: 1, deleted: 0 })
  })

  test("where a session beside it is damaged, for which the importer drops a thousand", async () => {
    const sessions = await missingAfter(({ path }) =>
      writeFile(join(path, "storage", "session", project, `${errors}.json`), "{"),
    )
    expect(sessions).toMatchObject({ missing: 1, deleted: 0 })
  })

  test("where the database was made by a release without an importer", async () => {
    const sessions = await missingAfter(({ database }) =>
      withSql(database, (sql) => sql.exec("DROP TABLE __drizzle_migrations")),
    )
    expect(sessions).toMatchObject({ missing: 1, deleted: 0 })
  })

  test("where the database is another one than that of the earlier rescue", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await rescue(data.path, "--yes", "--quiet", "--no-backup")
    await using other = await upgraded("native-1.18.34", "v1.1.65")
    await writeFile(data.database, await readFile(other.database))
    const { sessions } = await reportOf(rescue(data.path, "--dry-run", "--json"))
    expect(sessions).toMatchObject({ missing: 14, deleted: 0 })
  })
})

describe("sessions can be chosen", () => {
  test("by id, with their subagent sessions, and others stay out", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const run = await rescue(data.path, "--yes", "--session", withChildren, "--session", errors)
    expect(run.code).toBe(0)
    expect(run.stdout).toContain("Brought in: 2 sessions (and 2 subagent sessions)")
    expect(sessionsIn(data.database)).toHaveLength(7 + 4)
    expect((await rescue(data.path, "--yes")).stdout).toContain("Brought in: 10 sessions, ")
  })

  test("by project and time", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const by = (...options: string[]) => reportOf(rescue(data.path, "--dry-run", "--json", ...options))
    expect(await by("--project", project)).toMatchObject({ sessions: { missing: 14 } })
    expect(await by("--since", "2026-01-01")).toMatchObject({ sessions: { missing: 14 } })
  })

  test("but not by what no session has, exit code 3, and nothing is written", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = rowsOf(data.database)
    for (const options of [
      ["--session", errors, "--session", "ses_typo"],
      ["--project", "ses_typo"],
      ["--since", "2027-01-01"],
    ]) {
      const { code, stderr } = await rescue(data.path, "--yes", ...options)
      expect(code).toBe(3)
      expect(stderr).toContain(options.includes("ses_typo") ? "ses_typo" : "No session")
    }
    expect(rowsOf(data.database)).toEqual(before)
  })
})
