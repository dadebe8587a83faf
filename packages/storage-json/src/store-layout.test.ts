import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { compareKeys, type Key } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { nastySegments } from "./testing/nasty-segments.js"
import { filesOf } from "./testing/tree.js"

describe("nasty keys", { timeout: 30_000 }, () => {
  // These two share a file where letter case does not matter.
  const segments = nastySegments.filter((segment) => segment !== "A.JSON" && segment !== "%2e")
  const keys: Key[] = segments
    .flatMap((segment) => [[segment], [segment, "x"], ["x", segment], ["..", segment, ".."]])
    .sort(compareKeys)

  test("all have records of their own, which are listed, scanned, read and removed", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: join(folder.path, "outer", "store") })
    for (const key of keys) await storage.write(key, { key })

    expect(await storage.list([])).toEqual(distinct(keys))
    expect(await gather(storage.scan([]))).toEqual(distinct(keys).map((key) => ({ key, value: { key } })))
    for (const key of keys) expect(await storage.read(key)).toEqual({ key })
    for (const key of keys) await storage.remove(key)
    expect(await storage.list([])).toEqual([])
  })

  test("never lead out of the store, nor into what is not a record's", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: join(folder.path, "outer", "store") })
    for (const key of keys) await storage.write(key, { key })

    expect(await readdir(folder.path)).toEqual(["outer"])
    expect(await readdir(join(folder.path, "outer"))).toEqual(["store"])
    const files = Object.keys(await filesOf(join(folder.path, "outer", "store")))
    expect(files.filter((path) => !path.endsWith(".json"))).toEqual(["migration"])
    expect(files.filter((path) => path.startsWith(".sessile"))).toEqual([])
  })
})

test("a key, its descendants, and keys that end in .json do not get in each other's way", async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const keys = [["a"], ["a", "b"], ["a.json"], ["a.json", "b"], ["a.json", "b.json"]]
  for (const key of keys) await storage.write(key, key)
  expect(await gather(storage.scan([]))).toEqual(keys.map((key) => ({ key, value: key })))
  expect(await storage.list(["a"])).toEqual([["a", "b"]])
  expect(await storage.list(["a.json"])).toEqual([
    ["a.json", "b"],
    ["a.json", "b.json"],
  ])
  await storage.remove(["a"])
  expect(await storage.list([])).toEqual(keys.slice(1))
})

describe("opencode's note of how far the store has been migrated", () => {
  test("is a record like any other, without an extension", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "migration"), "1\n")
    await using storage = await JsonStorage.open({ path: folder.path, migrate: true })
    expect(await storage.read(["migration"])).toBe(2)
    await storage.update(["migration"], () => undefined)
    expect(await gather(storage.scan([]))).toEqual([{ key: ["migration"], value: 2 }])
    expect(await filesOf(folder.path)).toEqual({ migration: "2" })
    await storage.remove(["migration"])
    expect(await storage.list([])).toEqual([])
    await storage.write(["migration"], 1)
    expect(await filesOf(folder.path)).toEqual({ migration: "1" })
    await using again = await JsonStorage.open({ path: folder.path, migrate: true })
    expect(await again.read(["migration"])).toBe(2)
  })

  test("leaves room for the keys below it, and for others of its name", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path, migrate: true })
    const keys = [["Migration"], ["a", "migration"], ["migration"], ["migration", "x"], ["migration.x"]]
    for (const key of keys) await storage.write(key, 2)
    expect(await storage.list([])).toEqual(keys)
    expect(Object.keys(await filesOf(folder.path)).sort()).toEqual([
      "%4Digration.json",
      "%6Digration.x.json",
      "%6Digration/x.json",
      "a/%6Digration.json",
      "migration",
    ])
  })
})

describe("a key that makes no file name", () => {
  const tooLong = "x".repeat(251)

  test("is refused by every method, and nothing is left of the attempt", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    const refused = expect.objectContaining({ code: "INVALID_KEY" })
    await expect(storage.write(["a", tooLong], 1)).rejects.toEqual(refused)
    await expect(storage.read([tooLong, "a"])).rejects.toEqual(refused)
    await expect(storage.update([tooLong], () => undefined)).rejects.toEqual(refused)
    await expect(storage.remove([tooLong])).rejects.toEqual(refused)
    expect(await filesOf(folder.path)).toEqual({})
  })

  test("stops a batch before its first operation", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    const operations = [
      { type: "write", key: ["a"], value: 1 },
      { type: "remove", key: [tooLong] },
    ] as const
    await expect(storage.batch(operations)).rejects.toMatchObject({ code: "INVALID_KEY" })
    expect(await storage.list([])).toEqual([])
  })

  test("is refused as well when only the whole path is too long", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    const key = Array.from({ length: 40 }, () => "x".repeat(200))
    await expect(storage.write(key, 1)).rejects.toMatchObject({ code: "INVALID_KEY", key })
    await expect(storage.read(key)).rejects.toMatchObject({ code: "INVALID_KEY", key })
    expect(await filesOf(folder.path)).toEqual({})
  })

  test("bounds a range like any other", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(["a", "w"], 1)
    await storage.write(["a", "y"], 2)
    expect(await storage.list(["a"], { gt: ["a", tooLong] })).toEqual([["a", "y"]])
    expect(await storage.list([], { lt: ["a", tooLong] })).toEqual([["a", "w"]])
  })
})

function distinct(keys: readonly Key[]): Key[] {
  return keys.filter((key, index) => index === 0 || compareKeys(key, keys[index - 1] as Key) !== 0)
}
