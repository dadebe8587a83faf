import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { temporaryFolder, withSql } from "@sessile/fixtures"
import { afterAll, beforeAll, describe, expect, test } from "vitest"
import { sessile } from "../testing/program.js"
import { sample } from "../testing/sample.js"

let folder: Awaited<ReturnType<typeof temporaryFolder>>
let whole: string
let records: number

beforeAll(async () => {
  folder = await temporaryFolder()
  whole = join(folder.path, "whole.db")
  const { stdout } = await sessile(["convert", `json:${sample}/storage`, `sqlite:${whole}`, "--json"])
  records = JSON.parse(stdout).ledger.found
})
afterAll(() => folder[Symbol.asyncDispose]())

describe("a source whose key index is damaged", () => {
  test("is converted whole, by walking through its table, and said to be damaged", async () => {
    const source = damaged("index.db", "sqlite_autoindex_records_1", (page) => page.fill(0))
    const target = join(folder.path, "rescued-index.db")
    const { code, stdout, stderr } = await sessile(["convert", `sqlite:${source}`, `sqlite:${target}`])
    expect(code).toBe(8)
    expect(stdout).toContain(`${records} found = ${records} written`)
    expect(stdout).not.toContain("Verified")
    expect(stdout).toContain("The source is damaged")
    expect(stderr).toContain("The source is damaged")
    expect((await sessile(["verify", `sqlite:${whole}`, `sqlite:${target}`])).code).toBe(0)
  })

  test("is damaged for inspect and verify too", async () => {
    const source = damaged("index.db", "sqlite_autoindex_records_1", (page) => page.fill(0))
    const inspected = await sessile(["inspect", `sqlite:${source}`, "--json"])
    expect(inspected.code).toBe(5)
    expect(JSON.parse(inspected.stdout)).toMatchObject({ records, problems: [expect.any(String)] })
    const compared = await sessile(["verify", `sqlite:${source}`, `sqlite:${whole}`])
    expect(compared.code).toBe(5)
    expect(compared.stdout).not.toContain("The two stores are equal")
    expect(compared.stdout).toContain("The first store is damaged")
  })
})

test("of a source with a damaged page, all that is on the others is converted, and what was lost is named", async () => {
  const source = damaged("page.db", "records", (page) => page.fill(0))
  const target = join(folder.path, "rescued-page.db")
  const { code, stdout } = await sessile(["convert", `sqlite:${source}`, `sqlite:${target}`, "--json"])
  const report = JSON.parse(stdout)
  expect(code).toBe(8)
  expect(report.sourceProblems).not.toEqual([])
  expect(report.ledger.found).toBe(records)
  expect(report.ledger.setAside).toBeGreaterThan(0)
  expect(report.ledger.written).toBeGreaterThan(records / 2)
  const lost = report.records.filter(({ outcome }: { outcome: string }) => outcome === "setAside")
  for (const { reason } of lost) expect(reason).toMatch(/^The record is lost/)
})

test("the program adds no index to a store of an application that has its own", async () => {
  const path = join(folder.path, "own.db")
  writeFileSync(path, readFileSync(whole))
  withSql(path, (database) => database.exec("DELETE FROM index_definitions; DELETE FROM index_entries"))
  const source = join(sample, "storage")
  expect((await sessile(["convert", `json:${source}`, `sqlite:${path}`])).code).toBe(0)
  const count = withSql(path, (database) =>
    database.prepare("SELECT count(*) FROM index_definitions").pluck().get(),
  )
  expect(count).toBe(0)
})

/** A copy of the whole store in which a leaf page of a table or an index is damaged. */
function damaged(name: string, table: string, change: (page: Buffer) => void): string {
  const path = join(folder.path, name)
  const content = readFileSync(whole)
  const { page, size } = withSql(whole, (database) => ({
    page: database
      .prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY pageno DESC LIMIT 1")
      .pluck()
      .get(table) as number,
    size: database.pragma("page_size", { simple: true }) as number,
  }))
  change(content.subarray((page - 1) * size, page * size))
  writeFileSync(path, content)
  return path
}
