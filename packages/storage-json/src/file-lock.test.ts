import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test } from "vitest"
import { FileLocks, STALE_AFTER } from "./file-lock.js"

const PATIENT = 30_000

test("two holders of one lock take turns", async () => {
  await using folder = await temporaryFolder()
  const [first, second] = [new FileLocks(folder.path, PATIENT), new FileLocks(folder.path, PATIENT)]
  const events: string[] = []
  let waiting: Promise<void> | undefined
  await first.hold("a", async () => {
    events.push("first in")
    waiting = second.hold("a", async () => {
      events.push("second in")
    })
    await second.hold("b", async () => {
      events.push("other lock")
    })
    events.push("first out")
  })
  await waiting
  expect(events).toEqual(["first in", "other lock", "first out", "second in"])
})

test("hold gives what its action gives, and the lock is gone afterwards", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(join(folder.path, "made", "when needed"), PATIENT)
  const result = await locks.hold("a", async ({ verify }) => {
    await verify()
    return (await stat(locks.path("a"))).isDirectory()
  })
  expect(result).toBe(true)
  expect(await readdir(join(folder.path, "made", "when needed"))).toEqual([])
})

test("the lock is released when the action throws", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(folder.path, 0)
  const failing = locks.hold("a", async () => {
    throw new Error("in the action")
  })
  await expect(failing).rejects.toThrow("in the action")
  await expect(locks.hold("a", async () => "free")).resolves.toBe("free")
})

test("a lock that stays taken is reported as LOCKED, with its place", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(folder.path, 20)
  await mkdir(locks.path("a"))
  const attempt = locks.hold("a", async () => "never")
  await expect(attempt).rejects.toMatchObject({ code: "LOCKED", path: locks.path("a") })
  expect(await readdir(folder.path)).toHaveLength(1)
})

test("a lock whose holder shows no sign of life is taken over", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(folder.path, 0)
  await mkdir(locks.path("a"))
  const longAgo = new Date(Date.now() - STALE_AFTER - 1000)
  await utimes(locks.path("a"), longAgo, longAgo)
  await expect(locks.hold("a", async () => "taken over")).resolves.toBe("taken over")
  expect(await readdir(folder.path)).toEqual([])
})

test("many names have many locks, each a plain name in the folder", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(folder.path, 0)
  const names = ["a", "a\0b", "../a", "A", "x".repeat(5000)]
  expect(new Set(names.map((name) => locks.path(name).toLowerCase())).size).toBe(names.length)
  for (const name of names) expect(locks.path(name)).toMatch(/[\\/][0-9a-f]{32}$/)
})

test("what keeps a lock from being made comes as a storage error", async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "file"), "")
  const locks = new FileLocks(join(folder.path, "file", "locks"), 0)
  await expect(locks.hold("a", async () => "never")).rejects.toMatchObject({
    name: "StorageError",
    code: "IO",
  })
})

test("a lock that was removed behind the holder's back does not keep it from ending", async () => {
  await using folder = await temporaryFolder()
  const locks = new FileLocks(folder.path, 0)
  await locks.hold("a", () => rm(locks.path("a"), { recursive: true }))
  expect(await readdir(folder.path)).toEqual([])
})
