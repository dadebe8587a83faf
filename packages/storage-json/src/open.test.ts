import { mkdir, readdir, stat, utimes, writeFile } from "node:fs/promises"
import { basename, join, relative } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { FileLocks } from "./file-lock.js"
import { JsonStorage, type JsonStorageOptions } from "./json-storage.js"
import { StoreLayout } from "./store-layout.js"
import { runChild } from "./testing/child-process.js"
import { stateOf } from "./testing/tree.js"

describe("opening", () => {
  test("makes the folder and what is missing above it", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "data", "opencode", "storage")
    await using storage = await JsonStorage.open({ path })
    expect(await storage.list([])).toEqual([])
    expect((await stat(path)).isDirectory()).toBe(true)
  })

  test("takes a relative path once and for all", async () => {
    await using folder = await temporaryFolder()
    const before = process.cwd()
    await using storage = await JsonStorage.open({ path: relative(before, folder.path) })
    process.chdir(folder.path)
    try {
      await storage.write(["a"], 1)
    } finally {
      process.chdir(before)
    }
    expect(await readdir(folder.path)).toEqual([".sessile", "a.json"])
  })

  test("a file, or what lies below one, is INVALID_ARGUMENT", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "file")
    await writeFile(path, "")
    for (const place of [path, join(path, "below")]) {
      const opening = JsonStorage.open({ path: place })
      await expect(opening).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: place })
    }
  })

  test.each<[string, object, RegExp]>([
    [
      "a misspelt option",
      { path: "x", readOnly: true },
      /unknown option "readOnly"; did you mean "readonly"\?/,
    ],
    ["another one", { path: "x", lockTimout: 5 }, /did you mean "lockTimeout"\?/],
    ["a missing path", {}, /"path" must be a string/],
    ["an empty path", { path: "" }, /"path" must be a string/],
    ["an unknown durability", { path: "x", durability: "fulll" }, /"durability" must be "normal" or "full"/],
    ["a negative lockTimeout", { path: "x", lockTimeout: -1 }, /"lockTimeout" must be a count/],
    [
      "migrating a store opened for reading",
      { path: "x", readonly: true, migrate: true },
      /cannot be migrated/,
    ],
  ])("%s is refused before anything happens", async (_, options, message) => {
    await using folder = await temporaryFolder()
    const placed = "path" in options && options.path ? { ...options, path: join(folder.path, "x") } : options
    const error = await JsonStorage.open(placed as JsonStorageOptions).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringMatching(message) })
    expect(await readdir(folder.path)).toEqual([])
  })
})

describe("whatever the umask", () => {
  let before: number
  beforeEach(() => {
    before = process.umask()
  })
  afterEach(() => {
    process.umask(before)
  })

  test.each([0o000, 0o022, 0o077])("%o, folders and files are for their owner only", async (umask) => {
    await using folder = await temporaryFolder()
    process.umask(umask)
    const path = join(folder.path, "new", "store")
    await using storage = await JsonStorage.open({ path })
    await storage.write(["a", "b", "c"], 1)
    await storage.update(["a", "b", "c"], () => undefined)
    const modes = Object.entries(await stateOf(join(folder.path, "new"))).map(
      ([name, state]) => `${state.split(" ")[0]?.slice(-4)} ${name}`,
    )
    expect(modes.sort()).toEqual([
      "0600 store/a/b/c.json",
      "0700 .",
      "0700 store",
      "0700 store/.sessile",
      "0700 store/.sessile/locks",
      "0700 store/.sessile/temporary",
      "0700 store/a",
      "0700 store/a/b",
    ])
  })
})

describe("what killed processes left behind", () => {
  const HOUR = 60 * 60 * 1000

  test("is swept when it is over an hour old, and left alone before", async () => {
    await using folder = await temporaryFolder()
    const own = join(folder.path, ".sessile")
    const places = ["temporary/old", "temporary/young", "originals/old"]
    for (const place of places) {
      await mkdir(join(own, place, ".."), { recursive: true })
      await writeFile(join(own, place), "half-writ")
      const age = place.endsWith("old") ? HOUR + 60_000 : HOUR - 60_000
      const time = new Date(Date.now() - age)
      await utimes(join(own, place), time, time)
    }
    await using _reading = await JsonStorage.open({ path: folder.path, readonly: true })
    expect(await leftovers(own)).toEqual(places.toSorted())
    await using _writing = await JsonStorage.open({ path: folder.path })
    expect(await leftovers(own)).toEqual(["originals/old", "temporary/young"])
  })

  test("its locks are removed, and those of the living stay", async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(["a"], {})
    const argument = { path: folder.path, key: ["a"] }
    await expect(runChild("die-in-editor.mjs", argument)).rejects.toThrow("SIGKILL")
    const locks = join(folder.path, ".sessile", "locks")
    expect(await readdir(locks)).toHaveLength(1)
    const living = new FileLocks(new StoreLayout(folder.path), 0)
    await living.hold("b", async () => {
      await using _again = await JsonStorage.open({ path: folder.path })
      expect(await readdir(locks)).toEqual([basename(living.path("b"))])
    })
  })

  async function leftovers(own: string): Promise<string[]> {
    return (await readdir(own, { recursive: true })).filter((name) => /old|young/.test(name)).sort()
  }
})
