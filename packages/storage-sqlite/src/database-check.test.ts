import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { checkDatabase } from "./database-check.js"

describe.each([
  ["in a thread of its own", true],
  ["in this one", false],
])("checking a database %s", (_, isRoomForThreads) => {
  test("finds nothing in one that is whole, and leaves no log behind", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "a.db")
    const database = new SqliteDatabase(path)
    database.pragma("journal_mode = WAL")
    database.exec("CREATE TABLE texts (text TEXT)")
    expect(await checkDatabase(database, isRoomForThreads)).toEqual([])
    database.close()
    expect(existsSync(`${path}-wal`)).toBe(false)
  })

  test("reports a damaged index, and rows that belong to nothing", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "a.db")
    const database = new SqliteDatabase(path)
    database.exec(`CREATE TABLE parents (id INTEGER PRIMARY KEY);
      CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT, parent INTEGER REFERENCES parents);
      CREATE INDEX by_text ON texts (text);
      PRAGMA foreign_keys = OFF; INSERT INTO texts VALUES (1, 'first', NULL), (2, 'second', 5)`)
    database.close()
    const content = readFileSync(path)
    content.write("F", content.lastIndexOf("first"))
    writeFileSync(path, content)
    const damaged = new SqliteDatabase(path)
    expect(await checkDatabase(damaged, isRoomForThreads)).toEqual([
      "row 1 missing from index by_text",
      "row 2 of texts belongs to no row of parents",
    ])
    damaged.close()
  })
})
