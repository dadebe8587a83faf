import { readFile, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test, vi } from "vitest"
import { adoptDatabase, openDatabase, useWriteAheadLog } from "./open-database.js"
import { SqliteStorage } from "./sqlite-storage.js"

describe("opening what is not a store of ours is refused, and changes nothing", () => {
  test.each<[string, string, (path: string) => Promise<void>]>([
    [
      "another program's database",
      "INVALID_ARGUMENT",
      async (path) => edit(path, "CREATE TABLE notes (text)"),
    ],
    [
      "a database with another application id",
      "INVALID_ARGUMENT",
      async (path) => edit(path, "PRAGMA application_id = 7"),
    ],
    ["a newer schema", "UNSUPPORTED", async (path) => newStore(path, "PRAGMA user_version = 99")],
    [
      "a newer schema, with a write-ahead log",
      "UNSUPPORTED",
      async (path) => newStore(path, "PRAGMA user_version = 99; PRAGMA journal_mode = WAL"),
    ],
    [
      "a text file",
      "CORRUPT",
      async (path) => writeFile(path, "Dear diary, this is no database at all. ".repeat(20)),
    ],
    [
      "a database that was cut short",
      "CORRUPT",
      async (path) => {
        await newStore(path, "")
        await truncate(path, 8_192)
      },
    ],
    [
      "a database whose pages are garbage",
      "CORRUPT",
      async (path) => {
        await newStore(path, "")
        const bytes = await readFile(path)
        await writeFile(path, bytes.fill(0x5a, 100))
      },
    ],
    [
      "a database whose pages are garbage, with a write-ahead log",
      "CORRUPT",
      async (path) => {
        await newStore(path, "PRAGMA journal_mode = WAL")
        const bytes = await readFile(path)
        await writeFile(path, bytes.fill(0x5a, 100))
      },
    ],
  ])("%s", async (_, code, make) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "file.db")
    await make(path)
    const before = await readFile(path)
    for (const options of [{ untouched: true }, { readonly: true }, {}]) {
      const opening = SqliteStorage.open({ path, ...options })
      await expect(opening).rejects.toMatchObject({ name: "StorageError", code, path })
    }
    expect((await readFile(path)).equals(before)).toBe(true)
  })

  test("a folder", async () => {
    await using folder = await temporaryFolder()
    await expect(SqliteStorage.open({ path: folder.path })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    })
  })

  test.each([{ readonly: true }, { untouched: true }])("a missing file, with %o", async (options) => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "missing.db")
    await expect(SqliteStorage.open({ path, ...options })).rejects.toMatchObject({ code: "NOT_FOUND", path })
  })

  test("a path through a file", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "file"), "")
    const path = join(folder.path, "file", "history.db")
    await expect(SqliteStorage.open({ path })).rejects.toMatchObject({ name: "StorageError" })
  })
})

test("an empty file becomes a store", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "empty.db")
  await writeFile(path, "")
  await using storage = await SqliteStorage.open({ path })
  expect(await storage.list([])).toEqual([])
})

test("options are checked, with the likely spelling", async () => {
  const open = (options: object) => SqliteStorage.open(options as never)
  await expect(open({ path: ":memory:", readOnly: true })).rejects.toThrow('did you mean "readonly"?')
  await expect(open({ path: ":memory:", durability: "none" })).rejects.toThrow('"normal" or "full"')
  await expect(open({})).rejects.toThrow("either a path or a database")
})

test.each([
  ["normal", 1],
  ["full", 2],
] as const)("durability %s is what SQLite is told", async (durability, expected) => {
  await using folder = await temporaryFolder()
  const database = openDatabase({ path: join(folder.path, "history.db"), readonly: false, durability })
  expect(database.pragma("synchronous", { simple: true })).toBe(expected)
  database.close()
})

test("a file system without write-ahead logs gives a warning that names the path", () => {
  const warn = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined)
  useWriteAheadLog({ pragma: () => "delete" }, "/mnt/share/history.db")
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("/mnt/share/history.db"), {
    code: "SESSILE_NO_WAL",
  })
  warn.mockRestore()
})

function edit(path: string, sql: string): void {
  const database = new SqliteDatabase(path)
  database.exec(sql)
  database.close()
}

async function newStore(path: string, sql: string): Promise<void> {
  const storage = await SqliteStorage.open({ path })
  await storage.batch(
    Array.from({ length: 100 }, (_, index) => ({
      type: "write",
      key: ["k", String(index)],
      value: "x".repeat(500),
    })),
  )
  await storage.close()
  edit(path, sql)
}

test("a store that another process makes at the same moment is no other program's", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  const database = new SqliteDatabase(path)
  const other = new SqliteDatabase(path, { timeout: 0 })
  const pragma = database.pragma.bind(database)
  let attempts = 0
  database.pragma = (source, options) => {
    const result = pragma(source, options)
    if (source === "application_id" && attempts++ === 0) {
      try {
        adoptDatabase(other, path, false)
      } catch (error) {
        if ((error as { code?: string }).code !== "LOCKED") throw error
      }
    }
    return result
  }
  adoptDatabase(database, path, false)
  expect(attempts).toBeGreaterThan(0)
  adoptDatabase(other, path, true)
  database.close()
  other.close()
})
