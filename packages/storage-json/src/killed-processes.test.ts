import type { ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { FileLocks, STALE_AFTER } from "./file-lock.js"
import { JsonStorage } from "./json-storage.js"
import { StoreLayout } from "./store-layout.js"
import { runChild, startChild, startElsewhere } from "./testing/child-process.js"
import { gather } from "./testing/gather.js"
import { skip } from "./testing/skip.js"

const LONG = 60_000
const key = ["counter"]

describe("a process that was killed inside its editor", () => {
  test.each([
    ["leaves the record as it was, and a lock that is taken over at once", new Date()],
    ["does so also when its lock is dated in the future", new Date("2999-01-01")],
    ["does so also when its lock is dated in the past", new Date("1980-01-01")],
  ])("%s", { timeout: LONG }, async (_, time) => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: 0 })
    await storage.write(key, { count: 0 })
    await expect(runChild("die-in-editor.mjs", { path: folder.path, key })).rejects.toThrow("SIGKILL")
    expect(await lockNames(folder.path)).toHaveLength(1)
    await dateLocks(folder.path, time)
    expect(await storage.read(key)).toEqual({ count: 0 })

    await countUp(storage)
    expect(await storage.read(key)).toEqual({ count: 1 })
    expect(await lockNames(folder.path)).toEqual([])
  })

  test("costs no update when several processes take its lock over at once", { timeout: LONG }, async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(key, { count: 0 })
    for (let round = 1; round <= 3; round++) {
      await expect(runChild("die-in-editor.mjs", { path: folder.path, key })).rejects.toThrow("SIGKILL")
      await Promise.all(
        Array.from({ length: 6 }, () =>
          runChild("count-updates.mjs", { path: folder.path, keys: [key], times: 5 }),
        ),
      )
      expect(await storage.read(key)).toEqual({ count: round * 6 * 5 })
    }
    expect(await lockNames(folder.path)).toEqual([])
  })
})

test("eight processes that count one record up and are killed at random lose no update", {
  timeout: 2 * LONG,
}, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(key, { count: 0 })
  let acknowledged = 0
  const countUntilKilled = async () => {
    const child = startChild("count-endlessly.mjs", { path: folder.path, key })
    let patience = 1 + Math.floor(Math.random() * 30)
    child.stdout.on("data", (dots: Buffer) => {
      acknowledged += dots.length
      patience -= dots.length
      if (patience <= 0) child.kill("SIGKILL")
    })
    const [, signal] = await once(child, "close")
    expect(signal).toBe("SIGKILL")
  }
  const ROUNDS = 5
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let round = 0; round < ROUNDS; round++) await countUntilKilled()
    }),
  )
  const { count } = await storage.read<{ count: number }>(key)
  expect(count).toBeGreaterThanOrEqual(acknowledged)
  // The last update of each may have been stored without a dot.
  expect(count).toBeLessThanOrEqual(acknowledged + 8 * ROUNDS)
  await countUp(storage)
  expect(await lockNames(folder.path)).toEqual([])
})

test("a record that a living process holds is LOCKED when lockTimeout has passed", async () => {
  await using folder = await temporaryFolder()
  await using holder = await JsonStorage.open({ path: folder.path })
  await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: 50 })
  await holder.write(key, { count: 0 })
  const locks = new FileLocks(new StoreLayout(folder.path), 0)
  await locks.hold(encodeKey(key), async () => {
    await expect(storage.write(key, 1)).rejects.toMatchObject({ code: "LOCKED" })
    await expect(storage.update(key, () => undefined)).rejects.toMatchObject({ code: "LOCKED" })
    await expect(storage.remove(key)).rejects.toMatchObject({ code: "LOCKED" })
    await expect(storage.batch([{ type: "remove", key }])).rejects.toMatchObject({ code: "LOCKED" })
    await storage.write(["another"], 1)
    expect(await storage.read(key)).toEqual({ count: 0 })
  })
  await storage.write(key, { count: 1 })
})

test("a stopped process keeps its lock for however long, and stores its update when it goes on", {
  timeout: LONG,
}, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: STALE_AFTER + 500 })
  await storage.write(key, { count: 0 })
  const child = startChild("stand-still-in-editor.mjs", { path: folder.path, key })
  await using sleeper = await inEditor(child)
  child.kill("SIGSTOP")
  await expect(countUp(storage)).rejects.toMatchObject({ code: "LOCKED" })
  child.kill("SIGCONT")
  expect(await sleeper.proceed()).toBe("stored")
  await countUp(storage)
  expect(await storage.read(key)).toEqual({ count: 2 })
  expect(await lockNames(folder.path)).toEqual([])
})

test("a process of another system that stood still until its lock was taken over writes nothing", {
  timeout: LONG,
}, async (context) => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(key, { count: 0 })
  const child = startElsewhere("stand-still-in-editor.mjs", { path: folder.path, key })
  if (child === undefined) skip(context, "needs unshare and the right to make a namespace")
  await using sleeper = await inEditor(child)
  await countUp(storage)
  await using successor = await inEditor(startChild("stand-still-in-editor.mjs", { path: folder.path, key }))

  expect(await sleeper.proceed()).toBe("LOCKED")
  expect(await storage.read(key)).toEqual({ count: 1 })
  expect(await lockNames(folder.path)).toHaveLength(1)
  expect(await successor.proceed()).toBe("stored")
  expect(await storage.read(key)).toEqual({ count: 2 })
  expect(await lockNames(folder.path)).toEqual([])
})

test("killed in the middle of writing, twenty times, a store opens, holds whole records and goes on", {
  timeout: LONG,
}, async () => {
  await using folder = await temporaryFolder()
  const keys = ["a", "b", "c", "d"].map((name) => ["record", name])
  const length = 100_000
  for (let round = 0; round < 20; round++) {
    const child = startChild("write-endlessly.mjs", { path: folder.path, keys, length })
    let writes = Math.ceil(Math.random() * 30)
    child.stdout.on("data", (dots: Buffer) => {
      writes -= dots.length
      if (writes <= 0) child.kill("SIGKILL")
    })
    const [, signal] = await once(child, "close")
    expect(signal).toBe("SIGKILL")

    await using storage = await JsonStorage.open({ path: folder.path })
    const entries = await gather(storage.scan<{ text: string }>([]))
    expect(entries.length).toBeGreaterThan(0)
    for (const { value } of entries) expect(value.text).toMatch(new RegExp(`^(\\d)\\1{${length - 1}}$`))
    for (const record of keys) await storage.write(record, { text: "0".repeat(length) })
  }
})

/** A process inside the editor of an update; `proceed` resolves to what became of it. */
async function inEditor(child: ChildProcessWithoutNullStreams) {
  const printed = async () => String((await once(child.stdout, "data"))[0])
  expect(await printed()).toBe("in the editor")
  return {
    proceed() {
      child.stdin.write("!")
      return printed()
    },
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      await once(child, "close")
    },
  }
}

function countUp(storage: JsonStorage): Promise<unknown> {
  return storage.update<{ count: number }>(key, (draft) => {
    draft.count += 1
  })
}

function lockNames(path: string): Promise<string[]> {
  return readdir(join(path, ".sessile", "locks"))
}

async function dateLocks(path: string, time: Date): Promise<void> {
  const locks = join(path, ".sessile", "locks")
  for (const name of await readdir(locks, { recursive: true })) await utimes(join(locks, name), time, time)
}
