import { cp, open, readdir, rm, truncate, writeFile } from "node:fs/promises"
import { join } from "node:path"
import type { Key } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"
import { contentsOf, withDatabase } from "./testing/raw-database.js"
import { writeSessions } from "./testing/sessions.js"

const SESSIONS = 100

test.each<[string, (path: string) => Promise<void>]>([
  ["has lost its file CURRENT", (path) => rm(join(path, "CURRENT"))],
  ["has an empty file CURRENT", (path) => writeFile(join(path, "CURRENT"), "")],
  ["has lost its MANIFEST", async (path) => rm(await fileOf(path, /^MANIFEST/))],
  ["has a torn MANIFEST", async (path) => truncate(await fileOf(path, /^MANIFEST/), 20)],
])("a store that %s is CORRUPT, and complete again after its repair", async (_, damage) => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  await damage(folder.path)
  const tables = (await readdir(folder.path)).filter((name) => name.endsWith(".ldb"))
  await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({
    code: "CORRUPT",
    path: folder.path,
    message: expect.stringContaining("LevelStorage.repair(path)"),
  })
  expect(await readdir(folder.path)).toEqual(expect.arrayContaining(tables))
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length })
  expect(await recordsOf(folder.path)).toEqual(before)
  await expectSoundIndexes(folder.path)
})

test("a store that has lost a table is CORRUPT, and keeps the records of the others", async () => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  await rm(await fileOf(folder.path, /\.ldb$/))
  await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
  const { records } = await LevelStorage.repair(folder.path)
  const after = await recordsOf(folder.path)
  expect(after).toHaveLength(records)
  expect(records).toBeLessThan(before.length)
  expect(before).toEqual(expect.arrayContaining(after))
  await expectSoundIndexes(folder.path)
})

test("a damaged table ends scans with CORRUPT, never as if they were complete, until it is repaired", async () => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  const table = await open(await fileOf(folder.path, /\.ldb$/), "r+")
  await table.write(Buffer.alloc(9000, 0xff), 0, 9000, 10_000)
  await table.close()
  const corrupt = { code: "CORRUPT", path: folder.path }
  await expect(recordsOf(folder.path)).rejects.toMatchObject(corrupt)
  await expect(recordsOf(folder.path, [["a"], ["c"], ["session"]])).rejects.toMatchObject(corrupt)
  const { records } = await LevelStorage.repair(folder.path)
  const after = await recordsOf(folder.path)
  expect(after).toHaveLength(records)
  expect(before).toEqual(expect.arrayContaining(after))
  await expectSoundIndexes(folder.path)
})

test("a repair changes nothing in a sound store, and may be done again", async () => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length })
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length })
  expect(await recordsOf(folder.path)).toEqual(before)
})

test("where there is no store, a repair is NOT_FOUND and makes none", async () => {
  await using folder = await temporaryFolder()
  for (const path of [folder.path, join(folder.path, "missing")]) {
    await expect(LevelStorage.repair(path)).rejects.toMatchObject({ code: "NOT_FOUND", path })
  }
  expect(await readdir(folder.path)).toEqual([])
  await writeFile(join(folder.path, "file"), "")
  const repair = LevelStorage.repair(join(folder.path, "file"))
  await expect(repair).rejects.toMatchObject({ code: "INVALID_ARGUMENT" })
})

test("a store that is open in this process is not repaired", async () => {
  await using folder = await storeWithTables()
  await using _storage = await LevelStorage.open({ path: folder.path })
  await expect(LevelStorage.repair(folder.path)).rejects.toMatchObject({ code: "LOCKED" })
})

test("a store that lost its marker gets it back; a database of another program gets none", async () => {
  await using folder = await storeWithTables()
  await using other = await temporaryFolder()
  await cp(folder.path, other.path, { recursive: true })
  await withDatabase(folder.path, (database) => database.del("!sessile"))
  await LevelStorage.repair(folder.path)
  await expectSoundIndexes(folder.path)

  await withDatabase(other.path, (database) => database.batch().del("!sessile").put("theirs", "").write())
  await expect(LevelStorage.repair(other.path)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" })
  expect((await contentsOf(other.path)).map(([key]) => key)).not.toContain("!sessile")
})

async function storeWithTables() {
  const folder = await temporaryFolder()
  for (const part of ["a", "b", "c"]) {
    // What is in the log goes into a table at the next opening.
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, SESSIONS)
    const records = Array.from({ length: 200 }, (_, number) => [part, String(number)])
    for (const key of records) await storage.write(key, { noise: noise(key.join()) })
  }
  await using _storage = await LevelStorage.open({ path: folder.path })
  return folder
}

/** Text that does not compress well, so that tables have many blocks. */
function noise(seed: string): string {
  let state = [...seed].reduce((sum, character) => sum * 31 + character.charCodeAt(0), 7) >>> 0
  const letters = Array.from({ length: 400 }, () => {
    state = (state * 1664525 + 1013904223) >>> 0
    return String.fromCharCode(33 + ((state >>> 16) % 90))
  })
  return letters.join("")
}

async function fileOf(path: string, pattern: RegExp): Promise<string> {
  const name = (await readdir(path)).sort().find((candidate) => pattern.test(candidate))
  return join(path, name as string)
}

async function recordsOf(path: string, prefixes: readonly Key[] = [[]]) {
  await using storage = await LevelStorage.open({ path })
  return await gather(storage.scanMany(prefixes))
}

async function expectSoundIndexes(path: string): Promise<void> {
  await using storage = await LevelStorage.open({ path })
  const sessions = await gather(storage.scan(["session"]))
  const found = await gather(storage.find("sessions-by-updated", { reverse: true }))
  expect(found).toEqual(sessions)
}
