import { readFileSync, writeFileSync } from "node:fs"
import { copyDatabase, temporaryFolder, withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { sessile } from "../testing/program.js"

const PAGE_SIZE = 4_096

test("of an opencode database with damaged indexes all records are found, and the damage is reported", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  damage(copy.database, "name IN (SELECT name FROM sqlite_schema WHERE type = 'index')")
  const { code, ledger } = await convertDatabase(copy.database)
  expect(code).toBe(8)
  expect(ledger).toEqual({ found: 90, written: 90, present: 0, setAside: 0 })
})

test("of an opencode database with a damaged page the rest is found, and the rows that are lost are named", async () => {
  await using copy = await copyDatabase("native-1.18.34")
  damage(copy.database, "name = 'part' LIMIT 1 OFFSET 2")
  const { code, ledger, records } = await convertDatabase(copy.database)
  expect(code).toBe(8)
  expect(ledger).toMatchObject({ setAside: 1 })
  expect(ledger.written).toBeGreaterThan(60)
  const reason = expect.stringMatching(/^Rows \d+ to \d+ of part cannot be read/)
  expect(records).toContainEqual(expect.objectContaining({ outcome: "setAside", reason }))
})

async function convertDatabase(path: string) {
  await using folder = await temporaryFolder()
  const command = ["convert", `opencode:${path}`, "json:storage", "--json"]
  const { code, stdout } = await sessile(command, { cwd: folder.path })
  return { code, ...JSON.parse(stdout) }
}

/** Overwrites the leaf pages that a condition selects. */
function damage(path: string, condition: string): void {
  const sql = `SELECT pageno FROM dbstat WHERE pagetype = 'leaf' AND ${condition}`
  const pages = withSql(path, (database) => database.prepare(sql).pluck().all()) as number[]
  expect(pages.length).toBeGreaterThan(0)
  const bytes = readFileSync(path)
  for (const page of pages) bytes.fill(0, (page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  writeFileSync(path, bytes)
}
