import { standardIndexes } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { Level } from "level"
import { afterEach, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"
import { contentsOf, withDatabase } from "./testing/raw-database.js"
import { byTitle, sessionKey, writeSessions } from "./testing/sessions.js"

const COUNT = 1200

afterEach(() => {
  vi.restoreAllMocks()
})

test("indexes that were not declared before are built from the records that are there", async () => {
  await using folder = await storeOfSessions()
  await using storage = await LevelStorage.open({ path: folder.path, indexes: [byTitle] })
  const found = await gather(storage.find("sessions-by-title", { equals: ["t700"] }))
  expect(found.map(({ key }) => key)).toEqual([sessionKey(700)])
  expect(await gather(storage.find("sessions-by-title"))).toHaveLength(COUNT)
})

test("entries of indexes that are no longer declared are removed", async () => {
  await using folder = await storeOfSessions()
  expect(await countEntries(folder.path)).toBe(3 * COUNT)
  await using storage = await LevelStorage.open({ path: folder.path, indexes: [] })
  await storage.close()
  expect(await countEntries(folder.path)).toBe(0)
})

test("an index whose definition changed under its name is built anew", async () => {
  await using folder = await storeOfSessions()
  const changed = { ...byTitle, name: "sessions-by-updated" }
  await using storage = await LevelStorage.open({ path: folder.path, indexes: [changed] })
  const found = await gather(storage.find("sessions-by-updated", { equals: ["t5"] }))
  expect(found.map(({ key }) => key)).toEqual([sessionKey(5)])
})

test("indexes that are defined as before are left alone", async () => {
  await using folder = await storeOfSessions()
  const before = await contentsOf(folder.path)
  const clear = vi.spyOn(Level.prototype, "clear")
  const same = standardIndexes.map(({ terms, keyLength, ...rest }) => ({ keyLength, terms, ...rest }))
  await using storage = await LevelStorage.open({ path: folder.path, indexes: same })
  await storage.close()
  expect(clear).not.toHaveBeenCalled()
  expect(await contentsOf(folder.path)).toEqual(before)
})

test("a rebuild that was cut short runs again, with the old definitions as well", async () => {
  await using folder = await storeOfSessions()
  const { batch } = Level.prototype
  let batches = 0
  vi.spyOn(Level.prototype, "batch").mockImplementation(function (
    this: Level,
    ...parameters: Parameters<typeof batch>
  ) {
    if (++batches > 2) throw Object.assign(new Error("IO error: cut short"), { code: "LEVEL_IO_ERROR" })
    return batch.apply(this, parameters)
  } as typeof batch)
  const cutShort = LevelStorage.open({ path: folder.path, indexes: [byTitle] })
  await expect(cutShort).rejects.toMatchObject({ code: "IO" })
  vi.restoreAllMocks()
  const entries = await countEntries(folder.path)
  expect(entries).toBeGreaterThan(0)
  expect(entries).toBeLessThan(COUNT)

  await using storage = await LevelStorage.open({ path: folder.path })
  const found = await gather(storage.find("sessions-by-updated", { limit: 2 }))
  expect(found.map(({ key }) => key)).toEqual([sessionKey(COUNT - 1), sessionKey(COUNT - 2)])
  await storage.close()
  expect(await countEntries(folder.path)).toBe(3 * COUNT)
})

test("a record that is not JSON keeps no rebuild from its end, and find comes upon it", async () => {
  await using folder = await storeOfSessions()
  await withDatabase(folder.path, (database) => database.put(`r${sessionKey(3).join("\0")}`, "{"))
  await using storage = await LevelStorage.open({ path: folder.path, indexes: [byTitle] })
  const corrupt: unknown[] = []
  const found = storage.find("sessions-by-title", { onCorrupt: ({ key }) => corrupt.push(key) })
  expect(await gather(found)).toHaveLength(COUNT - 1)
  expect(corrupt).toEqual([sessionKey(3)])
})

async function storeOfSessions() {
  const folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await writeSessions(storage, COUNT)
  await storage.write(["message", "ses", "msg"], { title: "no session" })
  return folder
}

async function countEntries(path: string): Promise<number> {
  return (await contentsOf(path)).filter(([key]) => key.startsWith("i")).length
}
