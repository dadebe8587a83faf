import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { JsonStorage } from "./json-storage.js"
import { runChild } from "./testing/child-process.js"
import { filesOf } from "./testing/tree.js"

const PROCESSES = 8
const LONG = 60_000

test("eight processes that count one record up lose nothing", { timeout: LONG }, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const key = ["counter"]
  await storage.write(key, { count: 0 })
  await Promise.all(
    Array.from({ length: PROCESSES }, () =>
      runChild("count-updates.mjs", { path: folder.path, keys: [key], times: 50 }),
    ),
  )
  expect(await storage.read(key)).toEqual({ count: PROCESSES * 50 })
})

test("counting several records among other writes loses nothing either", { timeout: LONG }, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  const keys = [["counter", "a"], ["counter", "b"], ["counter"]]
  for (const key of keys) await storage.write(key, { count: 0 })
  await Promise.all(
    Array.from({ length: PROCESSES }, (_, index) =>
      runChild("count-updates.mjs", { path: folder.path, keys, times: 10, own: ["own", String(index)] }),
    ),
  )
  for (const key of keys) expect(await storage.read(key)).toEqual({ count: PROCESSES * 10 })
  expect(await storage.list(["own"])).toHaveLength(PROCESSES * 10)

  expect(await readdir(join(folder.path, ".sessile"))).toEqual(["locks", "temporary"])
  expect(await readdir(join(folder.path, ".sessile", "locks"))).toEqual([])
  expect(await readdir(join(folder.path, ".sessile", "temporary"))).toEqual([])
  expect(Object.keys(await filesOf(folder.path))).toHaveLength(keys.length + PROCESSES * 10)
})

test("stores opened twice in one process lose nothing, and keep their locks in one place", async () => {
  await using folder = await temporaryFolder()
  await using first = await JsonStorage.open({ path: folder.path })
  await using second = await JsonStorage.open({ path: folder.path })
  await first.write(["counter"], { count: 0 })
  const seen: string[][] = []
  const count = (storage: JsonStorage) =>
    storage.update<{ count: number }>(["counter"], (draft) => {
      draft.count += 1
    })
  const updates = Array.from({ length: 20 }, (_, index) => count(index % 2 === 0 ? first : second))
  seen.push(await readdir(folder.path))
  await Promise.all(updates)
  expect(await first.read(["counter"])).toEqual({ count: 20 })
  expect(seen).toEqual([[".sessile", "counter.json"]])
})
