import { cp, mkdir, readdir, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { copyDatabase, copyFixture, fixturePath, temporaryFolder, withSql } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { upgraded } from "../testing/database.js"
import { sessile } from "../testing/program.js"
import { project } from "../testing/sample.js"
import { stateOf } from "../testing/tree.js"

/** How many sessions a store has, by a command that reads nothing else. */
async function sessionsIn(store: string, cwd?: string): Promise<number> {
  const run = await sessile(["inspect", store, "--json"], cwd === undefined ? {} : { cwd })
  return JSON.parse(run.stdout).kinds.session.records
}

describe("without a source", () => {
  test("the database is read, also where only session_diff is left of the JSON files", async () => {
    await using data = await copyDatabase("native-1.18.34")
    await using folder = await temporaryFolder()
    await mkdir(join(data.path, "storage", "session_diff"), { recursive: true })
    await writeFile(join(data.path, "storage", "session_diff", "ses_x.json"), "[]")
    const before = await stateOf(data.path)
    const expected = await sessionsIn(data.database)
    expect(expected).toBeGreaterThan(0)

    const env = { OPENCODE_DATA_DIR: data.path }
    const { code, stdout } = await sessile(["convert"], { cwd: folder.path, env })
    expect(code).toBe(0)
    expect(stdout).toContain(`history:${data.path}`)
    expect(stdout).toContain(`opencode:${data.database}: ${expected} sessions`)
    expect(stdout).toContain(`json:${data.path}: 0 sessions`)
    expect(await sessionsIn(join(folder.path, "opencode-history.db"))).toBe(expected)
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("each session of the database, of JSON files and of the legacy layout comes once, also with another project", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    await cp(join(fixturePath("v0.5.29"), "project"), join(data.path, "project"), { recursive: true })
    await using folder = await temporaryFolder()
    // opencode moves the sessions of a folder to another project once the folder is a repository.
    const moved = join(data.path, "storage", "session", "elsewhere")
    await rename(join(data.path, "storage", "session", project), moved)
    const ids = new Set<string>()
    for (const part of [`opencode:${data.database}`, `json:${data.path}`]) {
      for (const id of await sessionIdsOf(part, folder.path)) ids.add(id)
    }

    const env = { OPENCODE_DATA_DIR: data.path }
    const run = await sessile(["convert", "all.db", "--json"], { cwd: folder.path, env })
    const { source, parts, records } = JSON.parse(run.stdout)
    expect(source).toBe(`history:${data.path}`)
    expect(parts.map(({ store }: { store: string }) => store)).toEqual([
      `opencode:${data.database}`,
      `json:${data.path}`,
    ])
    const keys = records.map(({ key }: { key: string[] }) => key)
    const found = keys.flatMap(([kind, , id]: string[]) => (kind === "session" ? id : []))
    expect(found.sort()).toEqual([...ids].sort())
    const added = parts.reduce((sum: number, part: { added: number }) => sum + part.added, 0)
    expect(added).toBe(ids.size)
  })

  test("a record in the database and in JSON files is that of the database", async () => {
    await using data = await upgraded("migrated-by-1.15.13", "v1.1.65")
    await using folder = await temporaryFolder()
    const env = { OPENCODE_DATA_DIR: data.path }
    withSql(data.database, (sql) => sql.exec("UPDATE session SET title = 'Renamed in the database'"))
    const { code } = await sessile(["convert", "all.db"], { cwd: folder.path, env })
    expect(code).toBe(0)
    const titles = withSql(join(folder.path, "all.db"), (sql) =>
      sql.prepare("SELECT DISTINCT title FROM sessions").pluck().all(),
    )
    expect(titles).toEqual(["Renamed in the database"])
  })

  test("the databases of all channels and that of OPENCODE_DB are read", async () => {
    await using data = await copyDatabase("migrated-by-1.15.13")
    await using other = await copyDatabase("native-1.18.34")
    await using folder = await temporaryFolder()
    const configured = join(folder.path, "mine.db")
    await rename(other.database, configured)
    await rename(data.database, join(data.path, "opencode-beta.db"))
    const env = { OPENCODE_DATA_DIR: data.path, OPENCODE_DB: configured }
    const { code, stdout } = await sessile(["inspect", "--json"], { env })
    expect(code).toBe(0)
    expect(JSON.parse(stdout).parts.map(({ store }: { store: string }) => store)).toEqual([
      `opencode:${configured}`,
      `opencode:${join(data.path, "opencode-beta.db")}`,
    ])
  })

  test("JSON files alone are read as such", async () => {
    const env = { OPENCODE_DATA_DIR: fixturePath("v1.1.65") }
    const { stdout } = await sessile(["inspect", "--json"], { env })
    expect(JSON.parse(stdout)).toMatchObject({ store: `json:${fixturePath("v1.1.65")}`, parts: [] })
  })

  test("a database that is damaged beyond recognition is named, never passed over", async () => {
    await using data = await copyFixture("v1.1.65")
    await using folder = await temporaryFolder()
    await writeFile(join(data.path, "opencode.db"), Buffer.alloc(8192))
    const env = { OPENCODE_DATA_DIR: data.path }
    const { code, stderr } = await sessile(["convert"], { cwd: folder.path, env })
    expect(code).toBe(5)
    expect(stderr).toContain(join(data.path, "opencode.db"))
    expect(await readdir(folder.path)).toEqual([])
  })
})

describe("the path of a data folder", () => {
  test("means all that is in it", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await using folder = await temporaryFolder()
    const { stdout } = await sessile(["convert", data.path, "all.db", "--json"], { cwd: folder.path })
    const { parts, kinds } = JSON.parse(stdout)
    expect(kinds.session.records).toBe(
      parts.reduce((sum: number, part: { added: number }) => sum + part.added, 0),
    )
    expect((await sessile(["verify", data.path, "all.db"], { cwd: folder.path })).code).toBe(0)
  })

  test("is no target, and no source for a database in it; the message names what to write instead", async () => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    const before = await stateOf(data.path)
    const target = await sessile(["convert", fixturePath("v1.1.65"), data.path])
    expect(target.code).toBe(2)
    expect(target.stderr).toContain(`json:${data.path} or opencode:${data.database}`)
    const source = await sessile(["convert", data.path, data.database])
    expect(source.code).toBe(2)
    expect(source.stderr).toContain(`json:${data.path} to read only the JSON files`)
    expect(await stateOf(data.path)).toEqual(before)
  })
})

describe("opencode's database as the only argument", () => {
  test.each(["", "opencode:"])("%s: an existing one is the source, and is not written to", async (prefix) => {
    await using data = await upgraded("native-1.18.34", "v1.1.65")
    await using folder = await temporaryFolder()
    const before = await stateOf(data.path)
    const env = { OPENCODE_DATA_DIR: data.path }
    const run = await sessile(["convert", `${prefix}${data.database}`, "--json"], { cwd: folder.path, env })
    expect(JSON.parse(run.stdout)).toMatchObject({
      source: `opencode:${data.database}`,
      target: `sqlite:${join(folder.path, "opencode-history.db")}`,
    })
    expect(await stateOf(data.path)).toEqual(before)
  })

  test("a new one is the target", async () => {
    await using folder = await temporaryFolder()
    const env = { OPENCODE_DATA_DIR: fixturePath("v1.1.65") }
    const run = await sessile(["convert", "opencode:new.db", "--json"], { cwd: folder.path, env })
    expect(JSON.parse(run.stdout)).toMatchObject({ target: `opencode:${join(folder.path, "new.db")}` })
  })
})

async function sessionIdsOf(store: string, cwd: string): Promise<string[]> {
  const { stdout } = await sessile(["convert", store, "sqlite:none.db", "--dry-run", "--json"], { cwd })
  const { records } = JSON.parse(stdout) as { records: { key: string[] }[] }
  return records.flatMap(({ key: [kind, , id = ""] }) => (kind === "session" ? [id] : []))
}
