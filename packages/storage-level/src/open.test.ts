import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, readdir, stat, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { LevelStorage, type LevelStorageOptions } from "./level-storage.js"
import { contentsOf, withDatabase } from "./testing/raw-database.js"

describe("opening", () => {
  test("makes the folder, for its owner only, and what is missing above it", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "data", "history")
    await using storage = await LevelStorage.open({ path })
    expect(await storage.list([])).toEqual([])
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    expect((await stat(join(folder.path, "data"))).mode & 0o777).toBe(0o700)
  })

  test("a file, or what lies below one, is INVALID_ARGUMENT", async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, "file")
    await writeFile(path, "")
    for (const place of [path, join(path, "below")]) {
      const opening = LevelStorage.open({ path: place })
      await expect(opening).rejects.toMatchObject({ code: "INVALID_ARGUMENT", path: place })
    }
  })

  test.each<[string, object, string, RegExp]>([
    ["a misspelt option", { durabilty: "full" }, "INVALID_ARGUMENT", /did you mean "durability"\?/],
    ["an unknown durability", { durability: "fulll" }, "INVALID_ARGUMENT", /must be "normal" or "full"/],
    ["an empty path", { path: "" }, "INVALID_ARGUMENT", /"path" must be a string/],
    ["indexes that are no list", { indexes: {} }, "INVALID_ARGUMENT", /"indexes" must be an array/],
  ])("%s is refused before anything happens", async (_, options, code, message) => {
    await using folder = await temporaryFolder()
    const opening = LevelStorage.open({ path: join(folder.path, "x"), ...options } as LevelStorageOptions)
    await expect(opening).rejects.toMatchObject({ code, message: expect.stringMatching(message) })
    expect(await readdir(folder.path)).toEqual([])
  })

  test("a database of another program is refused, and stays as it is", async () => {
    await using folder = await temporaryFolder()
    await withDatabase(folder.path, (database) => database.put("their key", "their value"))
    await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining("belongs to another program"),
    })
    expect(await contentsOf(folder.path)).toEqual([["their key", "their value"]])
  })

  test("a store of a newer format is UNSUPPORTED, and stays as it is", async () => {
    await using folder = await temporaryFolder()
    const marker = JSON.stringify({ format: 2, news: true })
    await withDatabase(folder.path, (database) => database.put("!sessile", marker))
    const opening = LevelStorage.open({ path: folder.path })
    await expect(opening).rejects.toMatchObject({ code: "UNSUPPORTED", path: folder.path })
    expect(await contentsOf(folder.path)).toEqual([["!sessile", marker]])
  })

  test("a marker that cannot be understood is CORRUPT", async () => {
    await using folder = await temporaryFolder()
    for (const marker of ["", "null", '{"format":"1"}']) {
      await withDatabase(folder.path, (database) => database.put("!sessile", marker))
      await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
    }
  })

  test("a refused store is let go of", async () => {
    await using folder = await temporaryFolder()
    await withDatabase(folder.path, (database) => database.put("!sessile", "null"))
    await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "CORRUPT" })
    await withDatabase(folder.path, (database) => database.del("!sessile"))
    await using storage = await LevelStorage.open({ path: folder.path })
    expect(await storage.list([])).toEqual([])
  })

  test("a folder where the creation of a database was cut short can be used", async () => {
    await using folder = await temporaryFolder()
    await writeFile(join(folder.path, "MANIFEST-000001"), "")
    await mkdir(join(folder.path, "lost"))
    await using storage = await LevelStorage.open({ path: folder.path })
    await storage.write(["a"], 1)
    expect(await storage.read(["a"])).toBe(1)
  })
})

describe("a store that is held", () => {
  test("is LOCKED for the same process", async () => {
    await using folder = await temporaryFolder()
    await using _holder = await LevelStorage.open({ path: folder.path })
    await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({ code: "LOCKED" })
  })

  test("by another process is LOCKED at once, and free when that is killed", async () => {
    await using folder = await temporaryFolder()
    const script = fileURLToPath(new URL("testing/hold-store.mjs", import.meta.url))
    const holder = spawn(process.execPath, [script, JSON.stringify({ path: folder.path })])
    try {
      await once(holder.stdout, "data")
      const start = performance.now()
      await expect(LevelStorage.open({ path: folder.path })).rejects.toMatchObject({
        code: "LOCKED",
        path: folder.path,
        message: expect.stringContaining("close it there first"),
      })
      expect(performance.now() - start).toBeLessThan(1000)
      await expect(LevelStorage.repair(folder.path)).rejects.toMatchObject({ code: "LOCKED" })
    } finally {
      holder.kill("SIGKILL")
      await once(holder, "exit")
    }
    await using storage = await LevelStorage.open({ path: folder.path })
    expect(await storage.read(["held"])).toBe(true)
  })
})
