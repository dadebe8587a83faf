import { readdir, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { StorageError } from "@sessile/core/storage"
import { describe, expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { hasCode, storageFault } from "./storage-fault.js"
import { skip } from "./testing/skip.js"
import { mountSmallFileSystem } from "./testing/small-file-system.js"

const CANNOT_MOUNT = "a small file system cannot be mounted here"

describe("on a full disk", () => {
  test("a write is FULL, the old record stays, and nothing half-written", async (context) => {
    await using disk = await mountSmallFileSystem()
    if (disk === undefined) skip(context, CANNOT_MOUNT)
    await using storage = await JsonStorage.open({ path: disk.path })
    await storage.write(["a"], { text: "old" })
    const big = { text: "x".repeat(2_000_000) }
    await expect(storage.write(["a"], big)).rejects.toMatchObject({ code: "FULL", key: ["a"] })
    await expect(storage.write(["b", "c"], big)).rejects.toMatchObject({ code: "FULL", key: ["b", "c"] })
    const update = storage.update<{ text: string }>(["a"], (draft) => {
      draft.text = big.text
    })
    await expect(update).rejects.toMatchObject({ code: "FULL", path: join(disk.path, "a.json") })

    expect(await storage.read(["a"])).toEqual({ text: "old" })
    expect(await readdir(join(disk.path, ".sessile", "temporary"))).toEqual([])
    expect(await readdir(join(disk.path, ".sessile", "locks"))).toEqual([])
    await storage.write(["a"], { text: "new" })
    expect(await storage.list([])).toEqual([["a"]])
  })
})

describe("on a read-only file system", () => {
  test("changes are READONLY, opening too unless it is for reading", async (context) => {
    await using disk = await mountSmallFileSystem()
    if (disk === undefined) skip(context, CANNOT_MOUNT)
    await writeFile(join(disk.path, "a.json"), "1")
    await using storage = await JsonStorage.open({ path: disk.path })
    await disk.makeReadonly()
    await expect(storage.write(["a"], 2)).rejects.toMatchObject({ name: "StorageError", code: "READONLY" })
    await expect(storage.remove(["a"])).rejects.toMatchObject({ name: "StorageError", code: "READONLY" })
    expect(await storage.read(["a"])).toBe(1)
    await using reader = await JsonStorage.open({ path: disk.path, readonly: true })
    expect(await reader.read(["a"])).toBe(1)
  })

  test("a folder that is no store yet opens for reading alone", async (context) => {
    await using disk = await mountSmallFileSystem()
    if (disk === undefined) skip(context, CANNOT_MOUNT)
    await disk.makeReadonly()
    await expect(JsonStorage.open({ path: disk.path })).rejects.toMatchObject({ code: "READONLY" })
    await using reader = await JsonStorage.open({ path: disk.path, readonly: true })
    expect(await reader.list([])).toEqual([])
  })
})

test.each([
  ["ENOSPC", "FULL"],
  ["EDQUOT", "FULL"],
  ["EROFS", "READONLY"],
  ["EACCES", "DENIED"],
  ["EPERM", "DENIED"],
  ["ENAMETOOLONG", "INVALID_KEY"],
  ["EIO", "IO"],
  ["EMFILE", "IO"],
])("%s becomes %s, with action, key, path and cause", (errno, code) => {
  const cause = Object.assign(new Error("secret content"), { code: errno })
  const fault = storageFault("write the record", cause, "/store/a.json", ["a"])
  expect(fault).toMatchObject({ code, key: ["a"], path: "/store/a.json", cause })
  expect(fault.message).toMatch(/^Cannot write the record: .+ \[a\] \(\/store\/a\.json\)$/)
  expect(fault.message).not.toContain("secret")
})

test("a storage error passes through as it is", () => {
  const error = new StorageError("LOCKED", "held")
  expect(storageFault("read", error, "/store")).toBe(error)
})

test("hasCode knows errors of the operating system alone", () => {
  expect(hasCode(Object.assign(new Error(), { code: "ENOENT" }), "EACCES", "ENOENT")).toBe(true)
  expect(hasCode(new Error("ENOENT"), "ENOENT")).toBe(false)
  expect(hasCode({ code: "ENOENT" }, "ENOENT")).toBe(false)
})
