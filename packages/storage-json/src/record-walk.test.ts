import { mkdir, rm, stat, symlink, utimes, writeFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"

describe("what is not a record is passed over", () => {
  test.each([
    ".DS_Store",
    "message/.DS_Store",
    "message/.json",
    "message/a.json~",
    "message/.a.json.swp",
    "message/#a.json#",
    "message/a (1).json",
    "message/a.json.bak",
    "message/a.JSON",
    "message/a",
    "message/Thumbs.db",
    "message/%00.json",
    "message/%2e%2e.json",
    "message/c:.json",
    ".git/objects.json",
    `message/${"x".repeat(255)}/b.json`,
    "migration.json",
    "%6Digration.json",
    "message/migration",
  ])("%s", async (name) => {
    await using store = await openStore(["message", "a"])
    await put(join(store.path, name))
    await expectRecords(store.storage, [["message", "a"]])
  })

  test.each([
    ["a link to nothing", "nowhere"],
    ["a link through a file", "a.json/b"],
    ["a link to a name that no file can have", "x".repeat(300)],
    ["a link to itself", "link.json"],
  ])("%s", async (_, target) => {
    await using store = await openStore(["message", "a"])
    await symlink(target, join(store.path, "message", "link.json"))
    await expectRecords(store.storage, [["message", "a"]])
  })
})

describe("links", () => {
  test("within the store are followed, to a folder and to a record", async () => {
    await using store = await openStore(["message", "a"])
    await symlink(join(store.path, "message"), join(store.path, "part"))
    await symlink(join("message", "a.json"), join(store.path, "linked.json"))
    await expectRecords(store.storage, [["linked"], ["message", "a"], ["part", "a"]])
    expect(await store.storage.read(["linked"])).toEqual({ key: ["message", "a"] })
  })

  test("that lead back are not followed", async () => {
    await using store = await openStore(["message", "session", "a"])
    await symlink(store.path, join(store.path, "root"))
    await symlink("..", join(store.path, "message", "session", "up"))
    await symlink(".", join(store.path, "message", "session", "self"))
    await expectRecords(store.storage, [["message", "session", "a"]])
  })

  test("that lead back by way of each other are not followed for ever", async () => {
    await using store = await openStore(["left", "a"], ["right", "b"])
    for (const number of ["1", "2", "3"]) {
      await symlink(join(store.path, "right"), join(store.path, "left", number))
      await symlink(join(store.path, "left"), join(store.path, "right", number))
    }
    const keys = await store.storage.list(["left"])
    expect(keys).toContainEqual(["left", "a"])
    expect(keys).toContainEqual(["left", "1", "b"])
    expect(keys).toHaveLength(4)
  })

  test("of a store's own folder are no hindrance", async () => {
    await using folder = await temporaryFolder()
    await using store = await openStore(["message", "a"])
    await symlink(store.path, join(folder.path, "store"))
    await using storage = await JsonStorage.open({ path: join(folder.path, "store") })
    await storage.write(["message", "b"], 1)
    await expectRecords(storage, [
      ["message", "a"],
      ["message", "b"],
    ])
  })
})

describe("a prefix", () => {
  test("is listed without reading the folders above it and beside it", async (context) => {
    await using store = await openStore(["message", "a", "1"], ["message", "b", "1"], ["part", "c", "1"])
    const above = ["", "message"].map((name) => join(store.path, name))
    const beside = ["message/b", "part", "part/c"].map((name) => join(store.path, name))
    for (const path of [...above, ...beside]) await utimes(path, 0, new Date())
    const readTimes = (paths: string[]) => Promise.all(paths.map(async (path) => (await stat(path)).atimeMs))

    expect(await store.storage.list(["message", "a"])).toEqual([["message", "a", "1"]])
    expect(await readTimes(above)).toEqual([0, 0])
    expect(await store.storage.list([], { gte: ["message"], lt: ["message", "b"] })).toHaveLength(1)
    expect(await gather(store.storage.scan(["message"], { lt: ["message", "b"] }))).toHaveLength(1)
    expect(await readTimes(beside)).toEqual([0, 0, 0])
    await store.storage.list([])
    if ((await readTimes(beside)).includes(0)) skip(context, "the file system does not keep track of reading")
  })

  test("is listed whatever is broken beside it", async () => {
    await using store = await openStore(["message", "a", "1"])
    await symlink("loop", join(store.path, "message", "loop"))
    await symlink("nowhere", join(store.path, "part"))
    await put(join(store.path, "message", "b.json"), "broken")
    expect(await store.storage.list(["message", "a"])).toEqual([["message", "a", "1"]])
    expect(await gather(store.storage.scan(["message", "a"]))).toHaveLength(1)
  })

  test("below which there is nothing gives nothing, be it absent, a file, or too long for a path", async () => {
    await using store = await openStore(["message", "a"])
    await put(join(store.path, "file"))
    for (const prefix of [
      ["absent"],
      ["message", "a"],
      ["file"],
      ["message", "a.json"],
      Array(60).fill("x".repeat(99)),
    ]) {
      expect(await store.storage.list(prefix)).toEqual([])
      expect(await gather(store.storage.scan(prefix))).toEqual([])
    }
  })

  test("may lose a folder while it is being scanned", async () => {
    const names = Array.from({ length: 80 }, (_, index) => String(index).padStart(2, "0"))
    await using store = await openStore()
    for (const name of names) await put(join(store.path, name, "1.json"))
    const seen: unknown[] = []
    for await (const { key } of store.storage.scan([])) {
      seen.push(key[0])
      await rm(join(store.path, "70"), { recursive: true, force: true })
    }
    expect(seen).toEqual(names.filter((name) => name !== "70"))
  })
})

async function openStore(...keys: string[][]) {
  const folder = await temporaryFolder()
  const storage = await JsonStorage.open({ path: folder.path })
  for (const key of keys) await storage.write(key, { key })
  return { path: folder.path, storage, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() }
}

async function put(path: string, content = "{}"): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
}

async function expectRecords(storage: JsonStorage, keys: string[][]): Promise<void> {
  expect(await storage.list([])).toEqual(keys)
  expect(await storage.list([], { reverse: true })).toEqual(keys.toReversed())
  expect((await gather(storage.scan([]))).map(({ key }) => key)).toEqual(keys)
}
