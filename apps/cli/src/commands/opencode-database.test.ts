import { mkdir, readdir, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { convert } from "@sessile/convert"
import { MemoryStorage } from "@sessile/core/storage"
import { copyDatabase, copyFixture, databasePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { OpencodeStorage } from "@sessile/opencode-db"
import { JsonStorage } from "@sessile/storage-json"
import { describe, expect, test } from "vitest"
import { rowsOf, upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { damage, project, sample } from "../testing/sample.js"
import { filesOf, stateOf } from "../testing/tree.js"

// opencode's database has no column for them.
const todosWithoutIds = {
  key: ["todo", "ses_e1e7b3eeaffeHsyI3sfsmFre0s"],
  kind: "reduced",
  fields: ["0.id", "1.id"],
}

describe("JSON files into the database beside them", () => {
  test("add their sessions; every row of before stays, byte for byte, and so do the files", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = rowsOf(data.database)
    const files = await stateOf(join(data.path, "storage"))
    const { code, stdout, stderr } = await sessile(["convert", `json:${data.path}`, data.database])
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("262 found = 248 written + 14 already there + 0 set aside")
    expect(stdout).toContain("todo/ses_e1e7b3eeaffeHsyI3sfsmFre0s: 0.id, 1.id")
    expect(await stateOf(join(data.path, "storage"))).toEqual(files)

    const after = rowsOf(data.database)
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table]?.slice(0, rows.length), table).toEqual(rows)
    }
    const lengths = Object.fromEntries(Object.entries(after).map(([table, rows]) => [table, rows.length]))
    expect(lengths).toMatchObject({ project: 1, session: 21, message: 85, part: 222, event: 187 })
  })

  test.each([["json:storage"], ["json:."]])(
    "are allowed there as %s, and nothing else inside is",
    async (source) => {
      await using data = await upgraded("empty-1.18.34", "v1.1.65")
      const run = (...command: string[]) => sessile(["convert", ...command], { cwd: data.path })
      expect((await run(source, "opencode:opencode.db")).code).toBe(0)
      for (const target of ["opencode:storage/opencode.db", "sqlite:storage/history.db"]) {
        expect(await run(source, target)).toMatchObject({
          code: 2,
          stderr: expect.stringContaining("is inside the source"),
        })
      }
    },
  )

  test("a second run writes nothing", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await sessile(["convert", `json:${data.path}`, data.database])
    const before = rowsOf(data.database)
    const { code, stdout } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout).ledger).toEqual({ found: 262, written: 0, present: 262, setAside: 0 })
    expect(rowsOf(data.database)).toEqual(before)
  })

  test("a session that opencode has continued stays as it is, and the older version is set aside", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    const id = "ses_e1e7b3eeaffeHsyI3sfsmFre0s"
    withSql(data.database, (database) =>
      database.exec(`UPDATE session SET title = 'Newer' WHERE id = '${id}'`),
    )
    const { code, stdout } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
    expect(code).toBe(8)
    const { conflicts, records } = JSON.parse(stdout)
    expect(conflicts).toEqual({ skipped: 1, replaced: 0 })
    const key = ["session", project, id]
    expect(records).toContainEqual(expect.objectContaining({ key, outcome: "setAside", conflict: "skipped" }))
    await using storage = await OpencodeStorage.open({ path: data.database, readonly: true })
    expect(await storage.read(key)).toMatchObject({ title: "Newer" })

    const refused = await sessile(["convert", `json:${data.path}`, data.database, "--on-conflict", "fail"])
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(key.join("/")) })
  })
})

describe("a backup", () => {
  test("of the database as it was is made first, and named", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = rowsOf(data.database)
    const { stdout } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
    const { backup } = JSON.parse(stdout)
    expect(backup).toMatch(/opencode\.db\.\d{8}T\d{9}Z\.backup$/)
    expect(rowsOf(backup)).toEqual(before)
  })

  test("is not made again when there is nothing to write", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await sessile(["convert", `json:${data.path}`, data.database])
    const before = rowsOf(data.database)
    const again = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
    expect(again.code).toBe(0)
    expect(JSON.parse(again.stdout)).toMatchObject({ backup: null, ledger: { written: 0 } })
    expect((await readdir(data.path)).filter((name) => name.endsWith(".backup"))).toHaveLength(1)
    expect(rowsOf(data.database)).toEqual(before)
  })

  test.each([
    ["with --no-backup", "native-1.18.34", ["--no-backup"]],
    ["in a dry run", "native-1.18.34", ["--dry-run"]],
  ] as const)("is not made %s", async (_, name, options) => {
    await using data = await upgraded(name, "v1.1.65")
    const { stdout } = await sessile(["convert", `json:${data.path}`, data.database, "--json", ...options])
    expect(JSON.parse(stdout).backup).toBeNull()
    expect((await readdir(data.path)).filter((file) => file.includes("backup"))).toEqual([])
  })
})

describe("a database that is not there yet", () => {
  test("is made, without a backup, and gives back what went in", async () => {
    await using folder = await temporaryFolder()
    const cwd = folder.path
    const { code, stdout } = await sessile(["convert", sample, "opencode.db", "--json"], { cwd })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({
      target: `opencode:${join(cwd, "opencode.db")}`,
      ledger: { found: 59, written: 58, present: 1 },
      backup: null,
      problems: [],
      warnings: [],
    })
    const compared = await sessile(["verify", sample, "opencode.db", "--json"], { cwd })
    expect(JSON.parse(compared.stdout)).toMatchObject({ equal: 58, differences: [todosWithoutIds] })
  })

  test("is not made by a dry run, which tells what would be lost and what is there", async () => {
    await using data = await copyFixture("v1.1.65")
    const { code, stdout } = await sessile(["convert", ".", "opencode:opencode.db", "--dry-run"], {
      cwd: data.path,
    })
    expect(code).toBe(0)
    expect(stdout).toContain("262 found = 249 to write + 13 already there + 0 to set aside")
    expect(stdout).toContain("Fields that the target does not hold as in the source: 1")
    expect(await readdir(data.path)).not.toContain("opencode.db")
  })

  test("is not made by a strict run that is refused", async () => {
    await using data = await copyFixture("v1.1.65")
    await damage(join(data.path, "storage"))
    const { code } = await sessile([
      "convert",
      `json:${data.path}`,
      join(data.path, "opencode.db"),
      "--strict",
    ])
    expect(code).toBe(1)
    expect(await readdir(data.path)).not.toContain("opencode.db")
  })
})

describe("a database as source", () => {
  test("comes with the files beside it, and nothing of it changes", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    await using folder = await temporaryFolder()
    const cwd = folder.path
    const before = await stateOf(data.path)
    const { code, stdout, stderr } = await sessile(["convert", data.database, "json:storage"], { cwd })
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" })
    expect(stdout).toContain("274 found = 274 written + 0 already there + 0 set aside")
    expect(await stateOf(data.path)).toEqual(before)
    const [{ ...files }, originals] = [
      await filesOf(join(cwd, "storage")),
      await filesOf(join(data.path, "storage")),
    ]
    const times = Object.keys(files).filter((name) => name.startsWith("row_times/"))
    expect(times).toHaveLength(12)
    for (const name of times) delete files[name]
    expect(Object.keys(files)).toEqual(Object.keys(originals))
    const different = Object.keys(files).filter((name) => files[name] !== originals[name])
    // opencode's import lost the ids of to-dos, and notes when a project is opened.
    expect(different.sort()).toEqual([`project/${project}.json`, "todo/ses_e1e7b3eeaffeHsyI3sfsmFre0s.json"])
    const compared = await sessile(["verify", join(data.path, "storage"), data.database, "--json"])
    expect(JSON.parse(compared.stdout).differences).toEqual([todosWithoutIds])
  })

  test("has the same rows after a way through SQLite and back", async () => {
    await using native = await copyDatabase("native-1.18.34")
    await using empty = await copyDatabase("empty-1.18.34")
    withSql(empty.database, (database) => database.exec("DELETE FROM project_directory; DELETE FROM project"))
    const history = join(empty.path, "history.db")
    expect((await sessile(["convert", native.database, `sqlite:${history}`])).code).toBe(0)
    expect((await sessile(["convert", history, empty.database])).code).toBe(0)
    expect((await sessile(["verify", native.database, empty.database])).code).toBe(0)
    for (const table of ["project", "session", "message", "part", "todo"]) {
      expect(sortedRows(empty.database, table)).toEqual(sortedRows(native.database, table))
    }
  })

  test("brings the times of its rows to the rows that are missing, and changes none", async () => {
    await using native = await copyDatabase("native-1.18.34")
    await using target = await copyDatabase("native-1.18.34")
    const missing = "message_id IN (SELECT id FROM message ORDER BY id LIMIT 5)"
    withSql(target.database, (database) =>
      database.exec(`DELETE FROM part WHERE ${missing}; UPDATE part SET time_updated = 1`),
    )
    const rest = sortedRows(target.database, "part")
    const command = ["convert", native.database, target.database, "--on-conflict", "fail", "--json"]
    for (const written of [53 - rest.length, 0]) {
      const { code, stdout } = await sessile(command)
      expect(code).toBe(0)
      expect(JSON.parse(stdout)).toMatchObject({
        ledger: { written, setAside: 0 },
        conflicts: { skipped: 0, replaced: 0 },
      })
    }
    const added = withSql(native.database, (database) =>
      database.prepare(`SELECT * FROM part WHERE ${missing}`).all(),
    )
    const after = sortedRows(target.database, "part")
    expect(after).toHaveLength(53)
    expect(after).toEqual(expect.arrayContaining([...rest, ...added]))
  })

  test("is inspected: schema, counts, and what is not known of it", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    withSql(copy.database, (database) =>
      database.exec("CREATE TABLE palette (id); ALTER TABLE session ADD color"),
    )
    const { code, stdout } = await sessile(["inspect", copy.database])
    expect(code).toBe(0)
    expect(stdout).toContain("database of opencode 1.x")
    expect(stdout).toMatch(/session +7 /)
    expect(stdout).toContain("Unknown tables, left unchanged: 1\n  palette")
    expect(stdout).toContain("session.color")
    const report = JSON.parse((await sessile(["inspect", copy.database, "--json"])).stdout)
    expect(report).toMatchObject({
      kind: "opencode",
      schema: {
        era: "1.x",
        takenOverBy2: false,
        unknownTables: ["palette"],
        unknownColumns: ["session.color"],
        obstacle: null,
      },
    })
  })
})

test("times of rows that are none are set aside, and the session comes without them", async () => {
  await using data = await upgraded("empty-1.18.34", "v1.1.65")
  const id = "ses_e1e7b3eeaffeHsyI3sfsmFre0s"
  await mkdir(join(data.path, "storage", "row_times"))
  await writeFile(join(data.path, "storage", "row_times", `${id}.json`), '{"part": {"prt_x": "secret"}}')
  const { code, stdout, stderr } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
  expect(code).toBe(8)
  expect(stdout + stderr).not.toContain("secret")
  const { ledger, records } = JSON.parse(stdout)
  expect(ledger).toMatchObject({ setAside: 1 })
  const reason = "It does not tell the times of rows"
  expect(records).toContainEqual(expect.objectContaining({ key: ["row_times", id], reason }))
  await using storage = await OpencodeStorage.open({ path: data.database, readonly: true })
  expect(await storage.list(["message", id])).not.toEqual([])
})

test("a schema that cannot be filled is refused before anything is written", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  withSql(data.database, (database) =>
    database.exec("DROP TABLE todo; CREATE TABLE todo (session_id, position, rank INTEGER NOT NULL)"),
  )
  const before = await readFile(data.database)
  for (const options of [[], ["--dry-run"]]) {
    const { code, stderr } = await sessile(["convert", `json:${data.path}`, data.database, ...options])
    expect(code).toBe(1)
    expect(stderr).toContain("todo.rank")
  }
  expect((await readFile(data.database)).equals(before)).toBe(true)
  expect((await readdir(data.path)).sort()).toEqual(["exports", "opencode.db", "storage"])
})

describe("a database of opencode 2.x", () => {
  test.each([
    ["that has not taken over yet", "", "When opencode 2.x starts for the first time"],
    ["that has taken over", "INSERT INTO session_v2 VALUES ('ses_a')", "2.x will not"],
  ])("%s is written to, with a warning of what will be visible", async (_, sql, warning) => {
    await using data = await upgraded("empty-1.18.34", "v1.1.65")
    withSql(data.database, (database) => database.exec(`CREATE TABLE session_v2 (id); ${sql}`))
    const { code, stdout, stderr } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
    expect(code).toBe(0)
    expect(stderr).toContain(warning)
    expect(JSON.parse(stdout).warnings).toEqual([expect.stringContaining(warning)])
  })

  test("without the tables of 1.x is refused", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "opencode.db")
    withSql(path, (database) => database.exec("CREATE TABLE session_v2 (id)"))
    const { code, stderr } = await sessile(["convert", sample, path])
    expect(code).toBe(1)
    expect(stderr).toContain("opencode 2.x")
  })
})

test("a database that is not sound afterwards has exit code 1, and what is wrong is named", async () => {
  await using data = await upgraded("migrated-by-1.2.27", "v1.1.65")
  withSql(data.database, (database) =>
    database.exec("PRAGMA foreign_keys = OFF; UPDATE todo SET session_id = 'ses_nobody'"),
  )
  const { code, stderr, stdout } = await sessile(["convert", `json:${data.path}`, data.database, "--json"])
  expect(code).toBe(1)
  expect(stderr).toContain("of todo belongs to no row of session")
  expect(JSON.parse(stdout).problems).toContainEqual(expect.stringContaining("todo"))
})

test("what opencode notes in a project between writing and reading back is no difference", async () => {
  await using data = await upgraded("empty-1.18.34", "v1.1.65")
  withSql(data.database, (database) => database.exec("DELETE FROM project"))
  await using source = await JsonStorage.open({ path: join(data.path, "storage"), readonly: true })
  await using target = await OpencodeStorage.open({ path: data.database })
  let notes = 0
  const onProgress = () =>
    withSql(data.database, (database) => {
      notes += database.prepare("UPDATE project SET time_updated = time_updated + 1").run().changes
    })
  await using conversion = await convert({ source, target, onConflict: "skip", onProgress })
  expect(notes).toBeGreaterThan(0)
  expect(conversion.verification).toMatchObject({ missing: [], different: [] })
  expect(conversion.totals.setAside).toBe(0)
})

test("a row that changes while a database is read is told to have changed", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  withSql(copy.database, (database) => database.pragma("journal_mode = WAL"))
  await using source = await OpencodeStorage.open({ path: copy.database, readonly: true })
  const onProgress = ({ phase }: { phase: string }) => {
    if (phase === "converting")
      withSql(copy.database, (database) => database.exec("UPDATE todo SET status = 'meanwhile'"))
  }
  await using conversion = await convert({ source, target: new MemoryStorage(), onProgress })
  expect(conversion.verification?.changed.map(([kind]) => kind)).toEqual(["todo"])
})

test("a project that was used since, and empty to-do lists, are no difference to compare", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  const todo = join(data.path, "storage", "todo", "ses_e1e7b3eeaffeHsyI3sfsmFre0s.json")
  await writeFile(todo, "[]")
  expect((await sessile(["convert", `json:${data.path}`, data.database])).code).toBe(0)
  withSql(data.database, (database) => database.exec("UPDATE project SET time_updated = time_updated + 1"))
  const { stdout } = await sessile(["verify", `json:${data.path}`, data.database, "--json"])
  expect(JSON.parse(stdout)).toMatchObject({ missing: 0, different: 0 })
  expect((await sessile(["convert", `json:${data.path}`, data.database])).code).toBe(0)
})

test("a database is read while opencode writes to it", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  await using folder = await temporaryFolder()
  await withSql(copy.database, async (database) => {
    database.exec("UPDATE session SET title = 'in the log'")
    const run = await sessile(["convert", `opencode:${copy.database}`, "json:storage"], { cwd: folder.path })
    expect(run.code).toBe(0)
  })
  const titles = Object.entries(await filesOf(join(folder.path, "storage", "session")))
  expect(titles.map(([, text]) => JSON.parse(text).title)).toEqual(Array(7).fill("in the log"))
})

test("the fixture of the repository is recognised by its path", async () => {
  const { code, stdout } = await sessile(["inspect", databasePath("native-1.18.34"), "--json"])
  expect({ code, kind: JSON.parse(stdout).kind }).toEqual({ code: 0, kind: "opencode" })
})

function sortedRows(path: string, table: string): unknown[] {
  return withSql(path, (database) => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2, 3, 4, 5`).all())
}
