import { open } from "node:fs/promises"
import { withSql } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { stateOf } from "../testing/tree.js"

const rescue = (data: string, ...options: string[]) =>
  sessile(["rescue", ...options], { env: { OPENCODE_DATA_DIR: data } })

/** Overwrites the first page of an index, as a bad disk does. */
async function damageIndex(path: string, index: string): Promise<void> {
  const [page, size] = withSql(path, (sql) => [
    sql.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").pluck().get(index) as number,
    sql.pragma("page_size", { simple: true }) as number,
  ])
  await using file = await open(path, "r+")
  await file.write(Buffer.alloc(size), 0, size, ((page ?? 1) - 1) * (size ?? 0))
}

test("a damaged database is reported by a dry run, exit code 8, also when nothing is missing", async () => {
  await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
  await damageIndex(data.database, "session_parent_idx")
  const before = await stateOf(data.path)
  for (const options of [["--dry-run"], ["--yes"]]) {
    const { code, stdout, stderr } = await rescue(data.path, ...options)
    expect(code).toBe(8)
    expect(stdout).toContain("The database is damaged, and may hold more than can be read")
    expect(stderr).toContain("The database is damaged")
  }
  expect(await stateOf(data.path)).toEqual(before)
})

test("nothing is written into a damaged database of which no sound backup can be made, exit code 5", async () => {
  await using data = await upgraded("native-1.18.34", "v1.1.65")
  await damageIndex(data.database, "session_parent_idx")
  const count = () =>
    withSql(data.database, (sql) => sql.prepare("SELECT count(*) FROM session NOT INDEXED").pluck().get())
  const sessions = count()
  const { code, stderr } = await rescue(data.path, "--yes")
  expect(code).toBe(5)
  expect(stderr).toContain("damaged")
  expect(count()).toBe(sessions)
})
