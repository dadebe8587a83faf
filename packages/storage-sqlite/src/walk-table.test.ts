import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { expect, test } from "vitest"
import { walkTable } from "./walk-table.js"

const PAGE_SIZE = 4_096
const ROWS = 400

test("all rows of a table that is whole come in their order, without gaps", async () => {
  await using table = await newTable()
  const { numbers, unread } = walk(table.database)
  expect(numbers).toEqual(Array.from({ length: ROWS }, (_, index) => index + 1))
  expect(unread).toEqual([])
})

test("a damaged index hides no row", async () => {
  await using table = await newTable()
  table.damage("WHERE name = 'by_text' AND pagetype = 'leaf'", (page) => page.fill(0))
  expect(walk(table.database)).toMatchObject({ numbers: { length: ROWS }, unread: [] })
})

test("what is on a damaged page is stepped over and named, and nothing else", async () => {
  await using table = await newTable()
  const lost = table.damage("WHERE name = 'texts' AND pagetype = 'leaf' LIMIT 1 OFFSET 3", (page) =>
    page.fill(0),
  )
  const { numbers, unread } = walk(table.database)
  expect(numbers).toEqual(
    Array.from({ length: ROWS }, (_, index) => index + 1).filter((row) => !lost.includes(row)),
  )
  expect(unread).toEqual([{ after: (lost[0] as number) - 1, before: (lost.at(-1) as number) + 1 }])
})

test("a damaged first and last page take no other row along", async () => {
  await using table = await newTable()
  const leaves = "WHERE name = 'texts' AND pagetype = 'leaf' ORDER BY path"
  const first = table.damage(`${leaves} LIMIT 1`, (page) => page.fill(0))
  const last = table.damage(`${leaves} DESC LIMIT 1`, (page) => page.fill(0xff))
  const { numbers, unread } = walk(table.database)
  expect(numbers).toHaveLength(ROWS - first.length - last.length)
  expect(unread).toEqual([
    { after: 0, before: (first.at(-1) as number) + 1 },
    { after: (last[0] as number) - 1, before: undefined },
  ])
})

test("rows far behind a damaged page are found, and rows that change places come all the same", async () => {
  await using table = await newTable()
  table.database.exec(`INSERT INTO texts SELECT id + 9000000000, text FROM texts WHERE id <= 200`)
  const lost = table.damage(
    "WHERE name = 'texts' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 14",
    (page) => page.fill(0),
  )
  const { numbers } = walk(table.database)
  expect(numbers).toHaveLength(ROWS + 200 - lost.length)
})

function walk(database: Database) {
  const numbers: number[] = []
  const unread = walkTable(database, {
    table: "texts",
    columns: "text",
    visit: ([number]) => numbers.push(number as number),
  })
  return { numbers, unread }
}

/** A table over some dozen pages, with an index, whose pages can be damaged. */
async function newTable() {
  const folder = await temporaryFolder()
  const path = join(folder.path, "texts.db")
  const database = new SqliteDatabase(path)
  database.pragma(`page_size = ${PAGE_SIZE}`)
  database.pragma("cache_size = 0")
  database.exec(
    "CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT); CREATE INDEX by_text ON texts (text)",
  )
  const insert = database.prepare("INSERT INTO texts VALUES (?, ?)")
  database.exec("BEGIN")
  for (let row = 1; row <= ROWS; row++) insert.run(row, `${row}`.padEnd(100, "."))
  database.exec("COMMIT")
  return {
    database,
    /** Damages the pages that a condition selects from `dbstat`; returns the numbers of the rows on them. */
    damage: (condition: string, change: (page: Buffer) => void): number[] => {
      const pages = database.prepare(`SELECT pageno FROM dbstat ${condition}`).pluck().all() as number[]
      const before = walk(database).numbers
      const content = readFileSync(path)
      for (const page of pages) change(content.subarray((page - 1) * PAGE_SIZE, page * PAGE_SIZE))
      writeFileSync(path, content)
      const after = new Set(walk(database).numbers)
      return before.filter((row) => !after.has(row))
    },
    [Symbol.asyncDispose]: async () => {
      database.close()
      await folder[Symbol.asyncDispose]()
    },
  }
}
