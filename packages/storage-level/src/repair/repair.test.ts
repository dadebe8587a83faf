import { cp, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises"
import { basename, join } from "node:path"
import type { Key } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { LevelStorage } from "../level-storage.js"
import { gather } from "../testing/gather.js"
import { contentsOf, withDatabase } from "../testing/raw-database.js"
import { sessionKey, writeSessions } from "../testing/sessions.js"

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
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length, losses: [] })
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

test.each<[string, (table: Buffer) => Buffer]>([
  ["damaged blocks", (table) => table.fill(0xff, 10_000, 19_000)],
  ["a missing end", (table) => table.subarray(0, table.length - 10)],
  ["half of it", (table) => table.subarray(0, table.length / 2)],
  ["a damaged block and no end", (table) => table.fill(0, 30_000, 30_001).subarray(0, table.length - 48)],
])("a repair keeps all that is readable of a table with %s, and says what is lost", async (_, damage) => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  const path = await fileOf(folder.path, /\.ldb$/)
  await writeFile(path, damage(await readFile(path)))
  await expect(recordsOf(folder.path)).rejects.toMatchObject({ code: "CORRUPT", path: folder.path })
  const { records, losses } = await LevelStorage.repair(folder.path)
  const after = await recordsOf(folder.path)
  expect(after).toHaveLength(records)
  expect(before).toEqual(expect.arrayContaining(after))
  expect(losses).toEqual([expect.stringMatching(new RegExp(`^${basename(path)}: \\d+ .* damaged$`))])
  // A table with 500 records of 500 bytes has lost 9000 bytes, 10, a half, or what follows 30000.
  expect(records).toBeGreaterThan(before.length - 300)
  await expectSoundIndexes(folder.path)
})

test("a repair keeps the changes after a damaged one in the log, and says what is lost", async () => {
  await using folder = await temporaryFolder()
  {
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, SESSIONS)
  }
  const path = await fileOf(folder.path, /\.log$/)
  const log = await readFile(path)
  await writeFile(path, log.fill(0xff, 2000, 2010))
  const { records, losses } = await LevelStorage.repair(folder.path)
  expect(records).toBe(SESSIONS - 1)
  expect(losses).toEqual([expect.stringMatching(/^000003\.log: \d+ bytes are damaged$/)])
  await expectSoundIndexes(folder.path)
})

test("a repair brings back nothing that was removed or replaced, in whatever table that is", async () => {
  await using folder = await temporaryFolder()
  {
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, SESSIONS)
    await storage.flush()
    await storage.remove(sessionKey(0))
    await storage.write(sessionKey(1), { title: "newer", time: { updated: 0 } })
  }
  await rm(join(folder.path, "CURRENT"))
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: SESSIONS - 1, losses: [] })
  const [first] = await recordsOf(folder.path)
  expect(first).toMatchObject({ key: sessionKey(1), value: { title: "newer" } })
})

test.each(["repair.built", "repair.ready"])(
  "a repair that was cut short with the new files in %s is refused by open, and goes on",
  async (name) => {
    await using folder = await storeWithTables()
    const before = await recordsOf(folder.path)
    const half = join(folder.path, name)
    await cp(folder.path, `${folder.path}.whole`, { recursive: true })
    await rename(`${folder.path}.whole`, half)
    const files = (await readdir(folder.path)).filter((file) => /ldb$|log$|^MANIFEST|^C/.test(file))
    // What is there under the same name is old as long as not all of it was moved away, and the same afterwards.
    for (const file of files.slice(0, 2)) await rm(join(folder.path, file))
    if (name === "repair.ready") for (const file of files.slice(2)) await rm(join(folder.path, file))
    for (const readonly of [true, false]) {
      const opening = LevelStorage.open({ path: folder.path, readonly })
      await expect(opening).rejects.toMatchObject({ code: "CORRUPT" })
    }
    expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length, losses: [] })
    expect(await recordsOf(folder.path)).toEqual(before)
  },
)

test("what a repair replaced is kept, also by the next repair", async () => {
  await using folder = await storeWithTables()
  await LevelStorage.repair(folder.path)
  await LevelStorage.repair(folder.path)
  const kept = await readdir(join(folder.path, "lost"))
  expect(kept).toEqual(expect.arrayContaining(["CURRENT", "CURRENT.2"]))
})

test("a repair changes nothing in a sound store, and may be done again", async () => {
  await using folder = await storeWithTables()
  const before = await recordsOf(folder.path)
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length, losses: [] })
  expect(await LevelStorage.repair(folder.path)).toEqual({ records: before.length, losses: [] })
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
