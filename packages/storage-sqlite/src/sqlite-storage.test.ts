import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { type IndexDefinition, MemoryStorage } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import SqliteDatabase from "better-sqlite3"
import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

describe("a database file", () => {
  test("is readable by its owner only, and so are the files beside it", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "new", "history.db")
    await using storage = await SqliteStorage.open({ path })
    await storage.write(["a"], 1)
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      expect(statSync(file).mode & 0o777, file).toBe(0o600)
    expect(statSync(join(folder.path, "new")).mode & 0o777).toBe(0o700)
  })

  test("is all that is left after closing", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    const storage = await SqliteStorage.open({ path })
    await storage.write(["a"], 1)
    await storage.close()
    expect([`${path}-wal`, `${path}-shm`].filter(existsSync)).toEqual([])
    const database = new SqliteDatabase(path, { readonly: true })
    expect(database.prepare("SELECT value FROM records").pluck().all()).toEqual(["1"])
    database.close()
  })

  test("keeps its log while another handle is open", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    await using first = await SqliteStorage.open({ path })
    const second = await SqliteStorage.open({ path })
    await second.write(["a"], 1)
    await second.close()
    expect(await first.read(["a"])).toBe(1)
    await first.write(["b"], 2)
  })
})

describe("a database of the caller's", () => {
  test("stays open when the store is closed", async () => {
    const database = new SqliteDatabase(":memory:")
    const storage = await SqliteStorage.open({ database })
    await storage.write(["a"], 1)
    await storage.close()
    expect(database.prepare("SELECT count(*) FROM records").pluck().get()).toBe(1)
    database.close()
  })

  test("that the caller closes makes the store reject with CLOSED", async () => {
    const database = new SqliteDatabase(":memory:")
    const storage = await SqliteStorage.open({ database })
    database.close()
    await expect(storage.read(["a"])).rejects.toMatchObject({ code: "CLOSED" })
  })
})

test("a store in memory declares that it is neither durable nor shared", async () => {
  await using storage = await SqliteStorage.open({ path: ":memory:" })
  await storage.write(["a"], 1)
  expect(storage.capabilities).toEqual({
    durable: false,
    atomicBatch: true,
    multiProcess: false,
    snapshots: false,
    checksums: true,
  })
  await expect(storage.scan([], { snapshot: true })[Symbol.asyncIterator]().next()).rejects.toMatchObject({
    code: "UNSUPPORTED",
  })
})

test("scans and lists cross the borders of their pages, in both directions", async () => {
  await using storage = await SqliteStorage.open({ path: ":memory:" })
  const keys = Array.from({ length: 1_001 }, (_, index) => ["k", String(index).padStart(5, "0")])
  await storage.batch(keys.map((key) => ({ type: "write", key, value: key })))
  await storage.write(["k", "00500"], "x".repeat(5_000_000))
  for (const reverse of [false, true]) {
    const expected = reverse ? keys.toReversed() : keys
    expect(await storage.list(["k"], { reverse })).toEqual(expected)
    const scanned: unknown[] = []
    for await (const { key } of storage.scan(["k"], { reverse })) scanned.push(key)
    expect(scanned).toEqual(expected)
  }
})

describe("indexes", () => {
  const byTitle: IndexDefinition = {
    name: "by-title",
    prefix: ["session"],
    keyLength: 3,
    terms: [{ value: ["title"] }],
  }

  test("are made anew for a store that was opened with others before", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    const storage = await SqliteStorage.open({ path })
    await storage.write(["session", "p", "s1"], { title: "b" })
    await storage.write(["session", "p", "s2"], { title: "a" })
    await storage.close()

    await using other = await SqliteStorage.open({ path, indexes: [byTitle] })
    expect(await idsFound(other)).toEqual(["s2", "s1"])
    await other.update<{ title: string }>(["session", "p", "s2"], (draft) => {
      draft.title = "c"
    })
    expect(await idsFound(other)).toEqual(["s1", "s2"])
  })

  test("that a file opened for reading does not hold are found by scanning", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    const storage = await SqliteStorage.open({ path })
    await storage.write(["session", "p", "s1"], { title: "b" })
    await storage.close()
    await using reader = await SqliteStorage.open({ path, readonly: true, indexes: [byTitle] })
    expect(await idsFound(reader)).toEqual(["s1"])
  })

  test("give a damaged record as CORRUPT, with the path of the database", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "history.db")
    const storage = await SqliteStorage.open({ path })
    await storage.write(["session", "p", "s1"], {})
    await storage.close()
    const database = new SqliteDatabase(path)
    database.exec("UPDATE records SET value = '{ sec'")
    database.close()
    await using damaged = await SqliteStorage.open({ path })
    const error = await idsFound(damaged, "sessions-by-updated").catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "CORRUPT", path, message: expect.not.stringContaining("sec") })
    await damaged.write(["session", "p", "s1"], { time: { updated: 1 } })
    expect(await idsFound(damaged, "sessions-by-updated")).toEqual(["s1"])
  })

  async function idsFound(storage: SqliteStorage, index = "by-title"): Promise<(string | undefined)[]> {
    const ids: (string | undefined)[] = []
    for await (const { key } of storage.find(index)) ids.push(key[2])
    return ids
  }
})

test("find gives what MemoryStorage gives, whatever was written, updated and removed", async () => {
  const key = fc.constantFrom("s1", "s2", "s3").map((id) => ["session", "p", id])
  const value = fc.record({
    parentID: fc.constantFrom("x", "y", null),
    time: fc.record({ created: fc.nat(3) }),
  })
  const operation = fc.oneof(
    fc.record({ type: fc.constant("write" as const), key, value }),
    fc.record({ type: fc.constant("remove" as const), key }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(operation, { maxLength: 4 }), { maxLength: 8 }), async (batches) => {
      await using storage = await SqliteStorage.open({ path: ":memory:" })
      await using memory = new MemoryStorage()
      for (const batch of batches) {
        for (const store of [storage, memory]) await store.batch(batch)
        for (const query of [{}, { equals: ["x"] }, { equals: [null], reverse: true }, { limit: 1 }]) {
          const [ours, theirs] = [
            storage.find("sessions-by-parent", query),
            memory.find("sessions-by-parent", query),
          ]
          expect(await gather(ours)).toEqual(await gather(theirs))
        }
      }
    }),
  )
})

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}
