import { mkdir, readdir, rm, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { filesOf } from "./testing/tree.js"

describe.each(["normal", "full"] as const)("with durability %s", (durability) => {
  test("what was written, updated and removed is so after reopening", async () => {
    await using folder = await temporaryFolder()
    const first = await JsonStorage.open({ path: folder.path, durability })
    await first.write(["a", "kept"], { count: 1 })
    await first.write(["a", "removed"], {})
    await first.update<{ count: number }>(["a", "kept"], (draft) => {
      draft.count += 1
    })
    await first.remove(["a", "removed"])
    await first.remove(["a", "never there"])
    await first.remove(["no such folder", "a"])
    await first.batch([
      { type: "write", key: ["b"], value: 1 },
      { type: "remove", key: ["b"] },
      { type: "write", key: ["c"], value: 2 },
    ])
    await first.close()
    expect(await filesOf(folder.path)).toEqual({ "a/kept.json": '{\n  "count": 2\n}', "c.json": "2" })
    await using second = await JsonStorage.open({ path: folder.path, readonly: true })
    expect(await second.read(["a", "kept"])).toEqual({ count: 2 })
  })
})

test("an editor that throws changes nothing and leaves no lock", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: 0 })
  await storage.write(["a"], { count: 1 })
  const failing = storage.update<{ count: number }>(["a"], (draft) => {
    draft.count += 1
    throw new RangeError("in the editor")
  })
  await expect(failing).rejects.toThrow(RangeError)
  await expect(storage.update(["absent"], () => undefined)).rejects.toMatchObject({ code: "NOT_FOUND" })
  expect(await storage.read(["a"])).toEqual({ count: 1 })
  expect(await readdir(join(folder.path, ".sessile", "locks"))).toEqual([])
  expect(await readdir(join(folder.path, ".sessile", "temporary"))).toEqual([])
})

test("a batch goes as far as it gets: what comes before the failure is done, what comes behind it is not", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await mkdir(join(folder.path, "taken.json", "by a folder"), { recursive: true })
  const operations = ["a", "taken", "b"].map((name) => ({ type: "write", key: [name], value: 1 }) as const)
  const error = await storage.batch(operations).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: "IO", key: ["taken"], path: join(folder.path, "taken.json") })
  expect(await storage.list([])).toEqual([["a"], ["taken"]])
  await expect(storage.batch(operations, { atomic: true })).rejects.toMatchObject({ code: "UNSUPPORTED" })
})

describe("a store whose own folder was taken away", () => {
  test("makes it again", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await rm(join(folder.path, ".sessile"), { recursive: true })
    await storage.write(["a", "b"], { count: 0 })
    await rm(folder.path, { recursive: true })
    await expect(storage.update(["a", "b"], () => undefined)).rejects.toMatchObject({ code: "NOT_FOUND" })
    await storage.write(["a", "b"], 1)
    expect(await storage.list([])).toEqual([["a", "b"]])
  })

  test("says so with a storage error when that is impossible", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(["a"], 1)
    await rm(join(folder.path, ".sessile"), { recursive: true })
    await writeFile(join(folder.path, ".sessile"), "")
    const attempts = [storage.write(["a"], 2), storage.update(["a"], () => undefined), storage.remove(["a"])]
    for (const { reason } of (await Promise.allSettled(attempts)) as PromiseRejectedResult[]) {
      expect(StorageError.is(reason, "IO")).toBe(true)
    }
    expect(await storage.read(["a"])).toBe(1)
  })
})

test("a read of what is no record's file finds nothing", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await mkdir(join(folder.path, "folder"))
  await writeFile(join(folder.path, "file"), "")
  for (const key of [["folder"], ["file"], ["file", "below"], ["absent", "below"]]) {
    await expect(storage.read(key)).rejects.toMatchObject({ code: "NOT_FOUND", key })
  }
})

test("declares what it guarantees", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  expect(storage.capabilities).toEqual({
    durable: true,
    atomicBatch: false,
    multiProcess: true,
    snapshots: false,
    checksums: false,
  })
})
