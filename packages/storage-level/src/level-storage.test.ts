import { checksum } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { Level } from "level"
import { afterEach, describe, expect, test, vi } from "vitest"
import { LevelStorage } from "./level-storage.js"
import { gather } from "./testing/gather.js"
import { contentsOf, withDatabase } from "./testing/raw-database.js"
import { sessionKey, writeSessions } from "./testing/sessions.js"

afterEach(() => {
  vi.restoreAllMocks()
})

test("records are JSON texts under readable keys, after their checksums", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path, indexes: [] })
  await storage.write(["project", "é😀"], { b: 1, a: [2] })
  await storage.close()
  const text = '{"b":1,"a":[2]}'
  const digits = checksum("project\0é😀", text).toString(16).padStart(8, "0")
  expect(await contentsOf(folder.path)).toEqual([
    ["!sessile", '{"format":1,"indexes":"[]"}'],
    ["rproject\0é😀", digits + text],
  ])
})

test("a read waits for changes of its record that were called before it", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  await storage.write(["a"], 1)
  const changes = [storage.write(["a"], 2), storage.update(["a"], () => undefined)]
  expect(await storage.read(["a"])).toBe(2)
  await Promise.all(changes)
})

test.each([
  ["full", true],
  ["normal", false],
] as const)("with durability %s, whether every change waits for the disk is %s", async (durability, sync) => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path, durability })
  const put = vi.spyOn(Level.prototype, "put")
  const del = vi.spyOn(Level.prototype, "del")
  const batch = vi.spyOn(Level.prototype, "batch")
  await storage.write(["a"], 1)
  await storage.update(["a"], () => undefined)
  await storage.remove(["a"])
  await storage.write(sessionKey(1), {})
  await storage.update(sessionKey(1), () => undefined)
  await storage.remove(sessionKey(1))
  await storage.batch([{ type: "write", key: ["a"], value: 1 }])
  const options = [put, del, batch].flatMap((spy) => spy.mock.calls.map((parameters) => parameters.at(-1)))
  expect(options).toHaveLength(7)
  for (const option of options) expect(option).toMatchObject({ sync })
})

test("a key that starts like another one reaches its own record, whatever was read before", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  const keys = [["a"], ...Array.from({ length: 100 }, (_, length) => ["é".repeat(length + 1)])]
  for (const key of keys) await storage.write(key, key)
  for (const key of keys) expect(await storage.read(key)).toEqual(key)
})

test("a failure of the engine to read names the key", async () => {
  await using folder = await temporaryFolder()
  await using storage = await LevelStorage.open({ path: folder.path })
  const failure = Object.assign(new Error("Corruption: block checksum mismatch"), {
    code: "LEVEL_CORRUPTION",
  })
  vi.spyOn(Level.prototype, "getSync").mockImplementation(() => {
    throw failure
  })
  const expected = { code: "CORRUPT", path: folder.path, cause: failure }
  await expect(storage.read(["a"])).rejects.toMatchObject({ ...expected, key: ["a"] })
  await expect(storage.remove(sessionKey(0))).rejects.toMatchObject({ ...expected, key: sessionKey(0) })
  const batch = storage.batch([{ type: "remove", key: sessionKey(1) }])
  await expect(batch).rejects.toMatchObject({ ...expected, key: sessionKey(1) })
})

describe("a scan", () => {
  test("shows one moment over several prefixes, that of its first step", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    const keys = ["a", "b", "c"].flatMap((part) => [1, 2].map((number) => [part, String(number)]))
    for (const key of keys) await storage.write(key, "before")
    const scan = storage.scanMany([["c"], ["a"], ["b"]], { snapshot: true })
    await storage.write(["a", "0"], "before")
    const first = await scan.next()
    for (const key of keys) await storage.write(key, "after")
    await storage.batch(keys.slice(3).map((key) => ({ type: "remove", key })))
    await storage.write(["c", "9"], "after")
    const entries = [first.value, ...(await gather(scan))]
    expect(entries).toEqual([["a", "0"], ...keys].map((key) => ({ key, value: "before" })))
  })

  test("that ends, is broken off, or meets an error lets go of its iterator", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 3)
    const iterator = vi.spyOn(Level.prototype, "iterator")
    for await (const _ of storage.scan(["session"])) break
    await gather(storage.scan([]))
    await expect(fail(storage.scan([]))).rejects.toThrow("of the caller")
    expect(iterator).toHaveBeenCalledTimes(3)
    for (const { value } of iterator.mock.results) await expect(value.next()).rejects.toThrow("not open")
  })

  test("with a limit reads no more than that", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 100)
    const iterator = vi.spyOn(Level.prototype, "iterator")
    expect(await gather(storage.scan(["session"], { limit: 3 }))).toHaveLength(3)
    expect(iterator.mock.results.map(({ value }) => value.count)).toEqual([3])
  })
})

describe("find", () => {
  test("with a limit reads no more entries and records than that", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 300)
    const iterator = vi.spyOn(Level.prototype, "iterator")
    const getSync = vi.spyOn(Level.prototype, "getSync")
    const found = await gather(storage.find("sessions-by-updated", { reverse: true, limit: 5 }))
    expect(found.map(({ key }) => key)).toEqual([0, 1, 2, 3, 4].map(sessionKey))
    expect(iterator.mock.results.map(({ value }) => value.count)).toEqual([5])
    expect(getSync).toHaveBeenCalledTimes(5)
  })

  test("that ends, is broken off, or meets an error lets go of its snapshot", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 3)
    const snapshot = vi.spyOn(Level.prototype, "snapshot")
    for await (const _ of storage.find("sessions-by-updated")) break
    await gather(storage.find("sessions-by-updated"))
    await expect(fail(storage.find("sessions-by-updated"))).rejects.toThrow("of the caller")
    expect(snapshot).toHaveBeenCalledTimes(3)
    for (const { value } of snapshot.mock.results) expect(() => value.ref()).toThrow("not open")
  })

  test("shows one moment, that of its first step", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 200)
    const before = await gather(storage.find("sessions-by-updated"))
    const found = storage.find("sessions-by-updated")
    const first = await found.next()
    for (let number = 0; number < 200; number += 2) {
      await storage.write(sessionKey(number), { time: { updated: 1000 + number } })
      await storage.remove(sessionKey(number + 1))
    }
    expect([first.value, ...(await gather(found))]).toEqual(before)
  })

  test("reports an entry whose record is gone as CORRUPT", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 3)
    await storage.close()
    await withDatabase(folder.path, (database) => database.del(`r${sessionKey(1).join("\0")}`))
    await using reopened = await LevelStorage.open({ path: folder.path })
    const lost: unknown[] = []
    const found = await gather(
      reopened.find("sessions-by-updated", { onCorrupt: ({ code, key }) => lost.push({ code, key }) }),
    )
    expect(found.map(({ key }) => key)).toEqual([sessionKey(2), sessionKey(0)])
    expect(lost).toEqual([{ code: "CORRUPT", key: sessionKey(1) }])
  })
})

describe("index entries", () => {
  test("come out right when a batch changes a record several times", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 2)
    const [first, second, third] = [0, 1, 2].map(sessionKey) as [string[], string[], string[]]
    const at = (updated: number) => ({ time: { updated } })
    await storage.batch([
      { type: "write", key: first, value: at(50) },
      { type: "write", key: third, value: at(40) },
      { type: "remove", key: first },
      { type: "remove", key: second },
      { type: "write", key: second, value: at(60) },
      { type: "write", key: first, value: at(70) },
      { type: "remove", key: third },
    ])
    expect(await gather(storage.find("sessions-by-updated"))).toEqual([
      { key: second, value: at(60) },
      { key: first, value: at(70) },
    ])
    await storage.close()
    expect((await contentsOf(folder.path)).filter(([key]) => key.startsWith("i"))).toHaveLength(6)
  })

  test("that stay the same are not written again", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    await writeSessions(storage, 1)
    const batch = vi.spyOn(Level.prototype, "batch")
    await storage.update<{ title: string }>(sessionKey(0), (draft) => {
      draft.title = "new"
    })
    expect(batch.mock.calls.map((parameters) => (parameters as unknown[][])[0]?.length)).toEqual([1])
  })

  test("cost records that no index covers nothing", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path })
    const getSync = vi.spyOn(Level.prototype, "getSync")
    await storage.write(["message", "ses", "msg"], {})
    await storage.remove(["message", "ses", "msg"])
    await storage.batch([{ type: "write", key: ["part", "msg", "prt"], value: {} }])
    expect(getSync).not.toHaveBeenCalled()
  })

  test("of a record that is damaged do not keep it from being replaced or removed", async () => {
    await using folder = await temporaryFolder()
    await using storage = await LevelStorage.open({ path: folder.path, indexes: [] })
    await storage.close()
    await withDatabase(folder.path, async (database) => {
      for (const number of [0, 1]) await database.put(`r${sessionKey(number).join("\0")}`, "{secret")
    })
    await using reopened = await LevelStorage.open({ path: folder.path })
    const error = await reopened.read(sessionKey(0)).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "CORRUPT", path: folder.path })
    expect(String(error)).not.toContain("secret")
    await reopened.write(sessionKey(0), { time: { updated: 1 } })
    await reopened.remove(sessionKey(1))
    const found = await gather(reopened.find("sessions-by-updated"))
    expect(found).toEqual([{ key: sessionKey(0), value: { time: { updated: 1 } } }])
  })
})

async function fail(items: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of items) throw new Error("of the caller")
}
