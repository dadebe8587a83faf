import { join } from "node:path"
import { copyDatabase, temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { changeRows, integrityOf, type Row, rowsOf } from "./rows.js"
import { convert } from "./sessile.js"

test("a database of opencode 1.18.34 has the same rows again after a journey through SQLite", async () => {
  await using original = await copyDatabase("native-1.18.34")
  await using target = await copyDatabase("empty-1.18.34")
  changeRows(target.database, "DELETE FROM project")
  await using folder = await temporaryFolder()
  const between = `sqlite:${join(folder.path, "history.db")}`
  await convert(`opencode:${original.database}`, between)
  await convert(between, `opencode:${target.database}`)

  const before = rowsOf(original.database)
  const after = rowsOf(target.database)
  expect(before.get("session")).toHaveLength(7)
  for (const table of ["project", "session", "session_share"])
    expect(after.get(table)).toEqual(before.get(table))
  for (const [table, columns] of unknown) {
    const known = (row: Row) =>
      Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)))
    expect(after.get(table)?.map(known)).toEqual(before.get(table)?.map(known))
  }
  expect(integrityOf(target.database)).toEqual(["ok"])
})

// When a row was written is no part of the record, and known of the row alone.
const unknown: readonly (readonly [table: string, columns: readonly string[]])[] = [
  ["message", ["time_updated"]],
  ["part", ["time_created", "time_updated"]],
  ["todo", ["time_created", "time_updated"]],
]
