import { lstatSync, readdirSync, readFileSync } from "node:fs"
import { mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { copyDatabase, temporaryFolder, withSql } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { OpencodeStorage } from "./opencode-storage.js"
import { gather } from "./testing/gather.js"
import { projectID, record, session, sessionID, wholeSession } from "./testing/records.js"

describe("opening", () => {
  test("a missing file is NOT_FOUND, and stays missing", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "sub", "opencode.db")
    for (const options of [{}, { readonly: true }]) {
      await expect(OpencodeStorage.open({ path, ...options })).rejects.toMatchObject({
        code: "NOT_FOUND",
        path,
      })
    }
    expect(readdirSync(folder.path)).toEqual([])
  })

  test("what would be made can be looked at, with the files that are there, and nothing is made", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "opencode.db")
    await mkdir(join(folder.path, "storage", "session_diff"), { recursive: true })
    await writeFile(join(folder.path, "storage", "session_diff", `${sessionID}.json`), "[]")
    await using imagined = await OpencodeStorage.open({ path, create: true, readonly: true })
    expect(await imagined.list([])).toEqual([["session_diff", sessionID]])
    await expect(imagined.addTexts(wholeSession)).rejects.toMatchObject({ code: "READONLY" })
    expect(readdirSync(folder.path)).toEqual(["storage"])

    await using made = await OpencodeStorage.open({ path, create: true })
    const todo = record(["todo", sessionID], [{ id: "1", content: "c", status: "s", priority: "p" }])
    for (const each of [...wholeSession, todo]) expect(imagined.fit(each)).toEqual(made.fit(each))
    // What a process leaves that was killed before it made the tables.
    const killed = join(folder.path, "killed.db")
    withSql(killed, (database) => database.pragma("journal_mode = WAL"))
    await using again = await OpencodeStorage.open({ path: killed, create: true, readonly: true })
    expect(again.fit(todo)).toEqual(imagined.fit(todo))
    expect(imagined.fit(todo)).toMatchObject({ lost: ["0.id"] })
  })

  test("a folder is INVALID_ARGUMENT", async () => {
    await using folder = await temporaryFolder()
    for (const create of [false, true]) {
      const opening = OpencodeStorage.open({ path: folder.path, create })
      await expect(opening).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: folder.path })
    }
  })

  test.each([
    [
      "another program's database",
      "INVALID_ARGUMENT",
      (path: string) => withSql(path, (db) => db.exec("CREATE TABLE session (id)")),
    ],
    [
      "a text file",
      "CORRUPT",
      (path: string) => writeFile(path, "Dear diary, this is no database. ".repeat(50)),
    ],
    [
      "one of 2.x alone",
      "UNSUPPORTED",
      (path: string) => withSql(path, (db) => db.exec("CREATE TABLE session_v2 (id)")),
    ],
  ])("%s is refused and left alone", async (_, code, make) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "some.db")
    await make(path)
    const before = readFileSync(path)
    for (const options of [{}, { readonly: true }, { create: true }]) {
      await expect(OpencodeStorage.open({ path, ...options })).rejects.toMatchObject({ code, path })
    }
    expect(readFileSync(path).equals(before)).toBe(true)
    expect(readdirSync(folder.path)).toEqual(["some.db"])
  })

  test("options are checked, with the likely spelling", async () => {
    const opening = OpencodeStorage.open({ path: "x", readOnly: true } as never)
    await expect(opening).rejects.toThrow('did you mean "readonly"?')
  })
})

describe("opening for reading", () => {
  test("changes nothing and makes nothing beside the database", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const before = traces(copy.path)
    const storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    expect((await gather(storage.scan([]))).length).toBe(90)
    expect(await storage.check()).toEqual([])
    expect(traces(copy.path)).toEqual(before)
    await storage.close()
    expect(traces(copy.path)).toEqual(before)
  })

  test("shows what a running opencode has written, whose log is not in the file yet", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    const other = new SqliteDatabase(copy.database)
    other.exec("UPDATE project SET name = 'in the log'")
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    expect(await storage.read(["project", projectID])).toMatchObject({ name: "in the log" })
    other.close()
  })

  test("refuses to write with READONLY", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    await expect(storage.addTexts(wholeSession)).rejects.toMatchObject({ code: "READONLY" })
    await expect(storage.write(["session_diff", "x"], [])).rejects.toMatchObject({ code: "READONLY" })
  })
})

describe("making a database", () => {
  test("makes it, and its folder, for its owner only", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "data", "opencode.db")
    await using storage = await OpencodeStorage.open({ path, create: true })
    await storage.addTexts(wholeSession)
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect((await stat(file)).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder.path, "data"))).mode & 0o777).toBe(0o700)
    expect(await storage.readTexts(wholeSession.map(({ key }) => key))).toEqual(wholeSession)
  })

  test("leaves a database that is there as it is", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const before = readFileSync(copy.database)
    const storage = await OpencodeStorage.open({ path: copy.database, create: true })
    await storage.close()
    expect(readFileSync(copy.database).equals(before)).toBe(true)
  })

  test("notes the steps that opencode need not take any more", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "opencode.db")
    await (await OpencodeStorage.open({ path, create: true, clock: () => 0 })).close()
    await using reference = await copyDatabase("migrated-by-1.2.27")
    const steps = "SELECT id, hash, created_at, name FROM __drizzle_migrations ORDER BY id LIMIT 2"
    const expected = withSql(reference.database, (database) => database.prepare(steps).all())
    expect(withSql(path, (database) => database.prepare(steps).all())).toEqual(expected)
    expect(withSql(path, (database) => database.pragma("journal_mode", { simple: true }))).toBe("wal")
  })

  test("has the columns of the first releases, with the types that they had", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "opencode.db")
    await (await OpencodeStorage.open({ path, create: true })).close()
    await using reference = await copyDatabase("migrated-by-1.2.27")
    for (const table of ["project", "session", "message", "part", "todo", "session_share", "permission"]) {
      const columns = (file: string) =>
        withSql(file, (database) => database.pragma(`table_info(${table})`) as Record<string, unknown>[])
          .map(({ name, type, notnull, dflt_value, pk }) => [
            name,
            String(type).toLowerCase(),
            notnull,
            dflt_value,
            pk,
          ])
          .filter(([name]) => name !== "workspace_id")
      expect(columns(path)).toEqual(columns(reference.database))
    }
  })
})

describe("a schema that is not understood", () => {
  test("is told, and written to where that does no harm", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    withSql(copy.database, (database) => {
      database.exec("ALTER TABLE session ADD color TEXT; CREATE TABLE palette (id)")
    })
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(storage.schema).toMatchObject({
      unknownTables: ["palette"],
      unknownColumns: ["session.color"],
      obstacle: undefined,
    })
    await storage.addTexts(wholeSession)
    expect(await storage.readTexts([session.key])).toEqual([session])
  })

  test.each([
    [
      "a column that must be filled",
      "DROP TABLE todo; CREATE TABLE todo (session_id, position, rank INTEGER NOT NULL)",
      "todo.rank",
    ],
  ])("is read, but not written to: %s", async (_, sql, told) => {
    await using copy = await copyDatabase("native-1.18.34")
    withSql(copy.database, (database) => database.exec(sql))
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(storage.schema.obstacle).toContain(told)
    expect(await storage.list(["session"])).toHaveLength(7)
    const changes = [
      () => storage.addTexts(wholeSession),
      () => storage.writeTexts(wholeSession),
      () => storage.remove(["session", "a", "b"]),
      () => storage.update(["project", projectID], () => undefined),
    ]
    for (const change of changes) {
      await expect(change()).rejects.toMatchObject({ code: "UNSUPPORTED", path: copy.database })
    }
  })
})

describe("a database of 2.x that has the tables of 1.x", () => {
  test.each([
    ["nothing is in its tables", "", false],
    ["there are sessions in them", "INSERT INTO session_v2 VALUES ('ses_a')", true],
    [
      "it has noted that it took over",
      "CREATE TABLE kv (key, value); INSERT INTO kv VALUES ('migration.v1-v2', '{\"phase\":\"completed\"}')",
      true,
    ],
    [
      "it has noted something else",
      "CREATE TABLE kv (key, value); INSERT INTO kv VALUES ('theme', '1')",
      false,
    ],
  ])("is written to, and tells whether 2.x took over: %s", async (_, sql, takenOverBy2) => {
    await using copy = await copyDatabase("empty-1.18.34")
    withSql(copy.database, (database) => database.exec(`CREATE TABLE session_v2 (id); ${sql}`))
    await using storage = await OpencodeStorage.open({ path: copy.database })
    expect(storage.schema).toMatchObject({ era: "2.x", takenOverBy2, unknownTables: [], obstacle: undefined })
    await storage.addTexts(wholeSession)
    expect(await storage.readTexts([session.key])).toEqual([session])
  })
})

describe("a backup", () => {
  test("is a sound copy beside the database, named after the time, for its owner only", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const clock = () => Date.UTC(2026, 10, 15, 23, 22, 16, 99)
    await using storage = await OpencodeStorage.open({ path: copy.database, clock })
    const path = await storage.backup()
    expect(path).toBe(`${copy.database}.20261115T232216099Z.backup`)
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    await using kept = await OpencodeStorage.open({ path, readonly: true })
    expect(await gather(kept.scan([]))).toEqual(await gather(storage.scan([])))
    expect(readdirSync(copy.path).filter((name) => name.includes("backup"))).toHaveLength(1)
  })

  test("never replaces another one", async () => {
    await using copy = await copyDatabase("empty-1.18.34")
    await using storage = await OpencodeStorage.open({ path: copy.database, clock: () => 0 })
    const path = await storage.backup()
    const before = await readFile(path)
    await expect(storage.backup()).rejects.toSatisfy((error) => StorageError.is(error))
    expect((await readFile(path)).equals(before)).toBe(true)
    expect(readdirSync(copy.path).filter((name) => name.endsWith(".partial"))).toEqual([])
  })
})

test("files that are there already are not opened for writing: nothing of their folder changes", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  const storage = join(copy.path, "storage")
  await mkdir(join(storage, "session_diff"), { recursive: true })
  await writeFile(join(storage, "session_diff", `${sessionID}.json`), "[]")
  const before = traces(storage)
  await using opened = await OpencodeStorage.open({ path: copy.database })
  const present = record(["session_diff", sessionID], [])
  expect(await opened.addTexts([...wholeSession, present])).toContainEqual(present)
  await opened.flush()
  expect(traces(storage)).toEqual(before)
})

test("a check tells of rows that belong to nothing", async () => {
  await using copy = await copyDatabase("migrated-by-1.2.27")
  withSql(copy.database, (database) => {
    database.exec(
      "PRAGMA foreign_keys = OFF; DELETE FROM message WHERE id = (SELECT message_id FROM part LIMIT 1)",
    )
  })
  await using storage = await OpencodeStorage.open({ path: copy.database })
  expect(await storage.check()).toContainEqual(
    expect.stringMatching(/^row \d+ of part belongs to no row of message$/),
  )
})

test("a check leaves no log behind when the database is closed at once", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  for (let times = 0; times < 20; times++) {
    const storage = await OpencodeStorage.open({ path: copy.database })
    await storage.addTexts(wholeSession)
    await storage.check()
    await storage.close()
    expect(await readdir(copy.path)).not.toContain("opencode.db-wal")
  }
})

test("once closed, everything is CLOSED", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  const storage = await OpencodeStorage.open({ path: copy.database })
  await storage.flush()
  await storage.close()
  for (const use of [
    () => storage.list([]),
    () => storage.backup(),
    () => storage.check(),
    () => storage.flush(),
  ]) {
    await expect(use()).rejects.toMatchObject({ code: "CLOSED" })
  }
})

test("the folder of files may be a link, and a file in its place is an error that names it", async () => {
  await using copy = await copyDatabase("empty-1.18.34")
  await mkdir(join(copy.path, "elsewhere"))
  await symlink(join(copy.path, "elsewhere"), join(copy.path, "storage"))
  await using storage = await OpencodeStorage.open({ path: copy.database })
  await storage.write(["session_diff", sessionID], [])
  expect(readdirSync(join(copy.path, "elsewhere"))).toContain("session_diff")

  await using other = await copyDatabase("empty-1.18.34")
  await writeFile(join(other.path, "storage"), "")
  await using blocked = await OpencodeStorage.open({ path: other.database })
  const writing = blocked.write(["session_diff", sessionID], [])
  await expect(writing).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: join(other.path, "storage") })
})

/** Everything that a write would change in a folder. */
function traces(folder: string): unknown[] {
  return [".", ...readdirSync(folder)].map((name) => {
    const { ino, size, mtimeMs, ctimeMs } = lstatSync(join(folder, name))
    return { name, ino, size, mtimeMs, ctimeMs }
  })
}
