import { once } from "node:events"
import { readdir, utimes } from "node:fs/promises"
import { join } from "node:path"
import { encodeKey } from "@sessile/core/storage"
import { temporaryFolder } from "@sessile/fixtures"
import { describe, expect, test } from "vitest"
import { FileLocks, STALE_AFTER } from "./file-lock.js"
import { JsonStorage } from "./json-storage.js"
import { runChild, startChild } from "./testing/child-process.js"
import { gather } from "./testing/gather.js"

const LONG = 60_000
const key = ["counter"]

describe("a process that was killed inside its editor", () => {
  test("leaves the record as it was, and a lock that is taken over", { timeout: LONG }, async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: 50 })
    await storage.write(key, { count: 0 })
    await expect(runChild("die-in-editor.mjs", { path: folder.path, key })).rejects.toThrow("SIGKILL")

    expect(await lockNames(folder.path)).toHaveLength(1)
    await expect(storage.update(key, () => undefined)).rejects.toMatchObject({ code: "LOCKED" })
    expect(await storage.read(key)).toEqual({ count: 0 })

    await backdateLocks(folder.path)
    await storage.update<{ count: number }>(key, (draft) => {
      draft.count += 1
    })
    expect(await storage.read(key)).toEqual({ count: 1 })
    expect(await lockNames(folder.path)).toEqual([])
  })

  test("costs no update when several processes take its lock over at once", { timeout: LONG }, async () => {
    await using folder = await temporaryFolder()
    await using storage = await JsonStorage.open({ path: folder.path })
    await storage.write(key, { count: 0 })
    for (let round = 1; round <= 3; round++) {
      await expect(runChild("die-in-editor.mjs", { path: folder.path, key })).rejects.toThrow("SIGKILL")
      await backdateLocks(folder.path)
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

test("a record that a living process holds is LOCKED when lockTimeout has passed", async () => {
  await using folder = await temporaryFolder()
  await using holder = await JsonStorage.open({ path: folder.path })
  await using storage = await JsonStorage.open({ path: folder.path, lockTimeout: 50 })
  await holder.write(key, { count: 0 })
  const locks = new FileLocks(join(folder.path, ".sessile", "locks"), 0)
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

test("a process that stood still until another took its lock writes nothing, and leaves the other's lock", {
  timeout: LONG,
}, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(key, { count: 0 })

  await using sleeper = await standStillInEditor(folder.path, 2 * STALE_AFTER)
  await backdateLocks(folder.path)
  await using successor = await standStillInEditor(folder.path, 0)
  expect(await sleeper.proceed()).toBe("LOCKED")
  expect(await storage.read(key)).toEqual({ count: 0 })
  expect(await lockNames(folder.path)).toHaveLength(1)
  expect(await successor.proceed()).toBe("stored")
  expect(await storage.read(key)).toEqual({ count: 1 })
  expect(await lockNames(folder.path)).toEqual([])
})

test("a process that stood still, but kept its lock, stores its update", { timeout: LONG }, async () => {
  await using folder = await temporaryFolder()
  await using storage = await JsonStorage.open({ path: folder.path })
  await storage.write(key, { count: 0 })
  await using sleeper = await standStillInEditor(folder.path, 2 * STALE_AFTER)
  expect(await sleeper.proceed()).toBe("stored")
  expect(await storage.read(key)).toEqual({ count: 1 })
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

    await backdateLocks(folder.path)
    await using storage = await JsonStorage.open({ path: folder.path })
    const entries = await gather(storage.scan<{ text: string }>([]))
    expect(entries.length).toBeGreaterThan(0)
    for (const { value } of entries) expect(value.text).toMatch(new RegExp(`^(\\d)\\1{${length - 1}}$`))
    for (const record of keys) await storage.write(record, { text: "0".repeat(length) })
  }
})

/** A process inside the editor of an update; `proceed` gives what became of it. */
async function standStillInEditor(path: string, standstill: number) {
  const child = startChild("stand-still-in-editor.mjs", { path, key, standstill })
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

function lockNames(path: string): Promise<string[]> {
  return readdir(join(path, ".sessile", "locks"))
}

/** Makes the locks look as they do when time has passed since their holders died. */
async function backdateLocks(path: string): Promise<void> {
  const longAgo = new Date(Date.now() - STALE_AFTER - 1000)
  for (const name of await lockNames(path)) {
    await utimes(join(path, ".sessile", "locks", name), longAgo, longAgo)
  }
}
