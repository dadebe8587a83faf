import type * as fs from "node:fs"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { beforeEach, expect, test, vi } from "vitest"
import { SqliteStorage } from "./sqlite-storage.js"

// Which folder a handle is of shows only here.
const opened = new Map<number, string>()
const synced: string[] = []

vi.mock("node:fs", async (original) => {
  const actual = await original<typeof fs>()
  return {
    ...actual,
    openSync: (path: string, ...rest: [string]) => {
      const handle = actual.openSync(path, ...rest)
      opened.set(handle, path)
      return handle
    },
    fsyncSync: (handle: number) => {
      synced.push(String(opened.get(handle)))
      actual.fsyncSync(handle)
    },
  }
})

beforeEach(() => {
  synced.length = 0
})

test("with full durability the names of a new database and of new folders above it are synced", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "a", "b", "history.db")
  await using _ = await SqliteStorage.open({ path, durability: "full" })
  expect(synced).toEqual([join(folder.path, "a", "b"), join(folder.path, "a"), folder.path])
})

test("in a folder that was there, only its names are synced, and none for a database that was there", async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, "history.db")
  await (await SqliteStorage.open({ path, durability: "full" })).close()
  expect(synced).toEqual([folder.path])
  await (await SqliteStorage.open({ path, durability: "full" })).close()
  expect(synced).toHaveLength(1)
})

test("with normal durability nothing is synced", async () => {
  await using folder = await temporaryFolder()
  await using _ = await SqliteStorage.open({ path: join(folder.path, "a", "history.db") })
  expect(synced).toEqual([])
})
