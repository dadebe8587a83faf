import { existsSync } from "node:fs"
import { copyDatabase } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import { describe, expect, test } from "vitest"
import { findProblems } from "./problems.js"

describe.each([
  ["in a thread of its own", true],
  ["in this one", false],
])("looking for problems %s", (_, isRoomForThreads) => {
  test("finds nothing in a sound database, and leaves no log behind", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const database = new SqliteDatabase(copy.database)
    database.prepare("UPDATE session SET title = 'Another'").run()
    expect(await findProblems(database, isRoomForThreads)).toEqual([])
    database.close()
    expect(existsSync(`${copy.database}-wal`)).toBe(false)
  })

  test("tells of rows that belong to nothing", async () => {
    await using copy = await copyDatabase("native-1.18.34")
    const database = new SqliteDatabase(copy.database)
    database.pragma("foreign_keys = OFF")
    database.prepare("DELETE FROM session").run()
    const problems = await findProblems(database, isRoomForThreads)
    expect(problems).toContainEqual(
      expect.stringMatching(/^row \d+ of message belongs to no row of session$/),
    )
    database.close()
  })
})
