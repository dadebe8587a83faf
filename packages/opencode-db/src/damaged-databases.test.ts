import { readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import {
  copyDatabase,
  type DatabaseName,
  databasePath,
  openSql,
  temporaryFolder,
  withSql,
} from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { detectOpencodeDatabase } from "./detect-opencode-database.js"
import { OpencodeStorage } from "./opencode-storage.js"
import { gather } from "./testing/gather.js"
import { type DatabaseFiles, type Mutation, mutate, randomNumbers } from "./testing/mutations.js"

/** By hand: MUTATIONS=5000 pnpm vitest run --project @sessile/opencode-db damaged-databases */
const MUTATIONS = Number(process.env.MUTATIONS ?? 300)
const PAGE_SIZE = 4_096

describe.each(["part", "message", "session"])("a database with a damaged index of %s", (table) => {
  test("gives every record, and says that it is damaged", async () => {
    await using copy = await copyDatabase("migrated-by-1.15.13")
    const right = await readAll(copy.database)
    damage(copy.database, `pagetype = 'leaf' AND ${indexesOf(table)}`)
    const found = await readAll(copy.database)
    expect(found.texts).toEqual(right.texts)
    expect(found.problems).not.toEqual([])
    expect(await detectOpencodeDatabase(copy.database)).toMatchObject({ counts: { part: 169, message: 64 } })
  })
})

describe("a database with a damaged page", () => {
  test("gives all records of the other pages, and names those that it lost", async () => {
    await using copy = await copyDatabase("migrated-by-1.15.13")
    const right = await readAll(copy.database)
    damage(copy.database, "name = 'part' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2")
    const { texts, errors, problems } = await readAll(copy.database)
    const lost = [...right.texts.keys()].filter((key) => !texts.has(key) && !key.startsWith("row_times"))
    expect(lost.length).toBeGreaterThan(0)
    expect(lost.length).toBeLessThan(40)
    for (const key of lost) expect(key).toMatch(/^part\0/)
    expect(errors).toEqual([expect.stringMatching(/^Rows \d+ to \d+ of part cannot be read/)])
    expect(problems).toContainEqual(expect.stringMatching(/^Rows \d+ to \d+ of part cannot be read/))
  })

  test("does not pass for a whole one: a scan that wants everything rejects", async () => {
    await using copy = await copyDatabase("migrated-by-1.15.13")
    damage(copy.database, "name = 'part' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2")
    await using storage = await OpencodeStorage.open({ path: copy.database, readonly: true })
    for (const prefix of [[], ["part"]]) {
      await expect(gather(storage.scan(prefix))).rejects.toMatchObject({ code: "CORRUPT" })
    }
    expect(await gather(storage.scan(["message"]))).toHaveLength(64)
  })

  test("is not written to without a sound backup", async () => {
    await using copy = await copyDatabase("migrated-by-1.15.13")
    damage(copy.database, "name = 'part' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET 2")
    await using storage = await OpencodeStorage.open({ path: copy.database })
    await expect(storage.backup()).rejects.toMatchObject({ code: "CORRUPT" })
  })
})

describe.each<DatabaseName>(["native-1.18.34", "migrated-by-1.2.27", "migrated-by-1.15.13"])(
  "mutations of %s",
  (name) => {
    test.each([false, true])(
      "are never a silent loss (with a log: %s)",
      { timeout: 600_000 },
      async (hasLog) => {
        await using folder = await temporaryFolder()
        const path = join(folder.path, "opencode.db")
        const plain = { "": readFileSync(databasePath(name)) }
        const files = hasLog ? await withLog(path, plain) : plain
        const right = await readFiles(path, files)
        // What SQLite has after a crash while the log was written: nothing of what is in it.
        const older = await readFiles(path, { "": files[""] as Buffer })
        const random = randomNumbers(hasLog ? 1 : 2)
        for (let round = 0; round < MUTATIONS / 6; round++) {
          const mutation = mutate(files, random)
          const found = await readFiles(path, { ...files, [mutation.suffix]: mutation.bytes }).catch(typed)
          expect(verdict(found, right, older, mutation), mutation.name).not.toBe("silent")
          await detectOpencodeDatabase(path).catch(typed)
        }
      },
    )
  },
)

/** What a database gave: its texts, why others were not to be had, and what is wrong with it as a whole. */
interface Found {
  readonly texts: ReadonlyMap<string, string>
  readonly errors: readonly string[]
  readonly problems: readonly string[]
}

function verdict(found: Found | undefined, right: Found, older: Found, { suffix, name }: Mutation): string {
  if (found === undefined) return "typed error"
  if (found.errors.length + found.problems.length > 0) return "named"
  const changed = differences(found, right)
  if (changed.length === 0) return "right"
  // A log that ends early is what a crash leaves.
  if (suffix === "-wal" && !name.startsWith("flip") && differences(found, older).length === 0) return "older"
  // No format can tell a flip inside of a text from what was written.
  const isInBoth = changed.every((key) => found.texts.has(key) && right.texts.has(key))
  return changed.length === 1 && isInBoth ? "other text" : "silent"
}

/** The keys of records that are not the same, but for the times of rows, which follow from others. */
function differences(found: Found, right: Found): string[] {
  return [...new Set([...found.texts.keys(), ...right.texts.keys()])].filter(
    (key) => !key.startsWith("row_times") && found.texts.get(key) !== right.texts.get(key),
  )
}

function typed(error: unknown): undefined {
  if (!StorageError.is(error)) throw error
  expect(["CORRUPT", "INVALID_ARGUMENT", "UNSUPPORTED"]).toContain(error.code)
  return undefined
}

async function readFiles(path: string, files: DatabaseFiles): Promise<Found> {
  for (const suffix of ["", "-wal", "-shm", "-journal"]) await rm(path + suffix, { force: true })
  for (const [suffix, bytes] of Object.entries(files)) writeFileSync(path + suffix, bytes)
  return readAll(path)
}

async function readAll(path: string): Promise<Found> {
  await using storage = await OpencodeStorage.open({ path, readonly: true })
  const texts = new Map<string, string>()
  const errors: string[] = []
  for await (const page of storage.scanTexts()) {
    for (const entry of page) {
      if ("text" in entry) texts.set(entry.key, entry.text)
      else errors.push(entry.error.message)
    }
  }
  return { texts, errors, problems: await storage.check() }
}

/** The same database with a log in which one transaction has changed every record of some kinds. */
async function withLog(path: string, files: DatabaseFiles): Promise<DatabaseFiles> {
  for (const [suffix, bytes] of Object.entries(files)) writeFileSync(path + suffix, bytes)
  using writer = openSql(path)
  writer.database.pragma("journal_mode = WAL")
  writer.database.exec(`BEGIN; UPDATE part SET data = json_set(data, '$.note', id);
    UPDATE session SET title = title || '!'; COMMIT`)
  return { "": readFileSync(path), "-wal": readFileSync(`${path}-wal`) }
}

/** A condition for the pages of all indexes of a table. */
function indexesOf(table: string): string {
  return `name IN (SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = '${table}')`
}

/** Overwrites pages that a condition selects. */
function damage(path: string, condition: string): void {
  const pages = withSql(path, (database) =>
    database.prepare(`SELECT pageno FROM dbstat WHERE ${condition}`).pluck().all(),
  ) as number[]
  expect(pages.length).toBeGreaterThan(0)
  const bytes = readFileSync(path)
  for (const page of pages) bytes.fill(0, (page - 1) * PAGE_SIZE, page * PAGE_SIZE)
  writeFileSync(path, bytes)
}
