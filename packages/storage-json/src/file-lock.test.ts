import { mkdir, readdir, rm, stat, utimes, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import { expect, test, vi } from "vitest"
import { commitFile } from "./atomic-file.js"
import { FileLocks, STALE_AFTER } from "./file-lock.js"
import { beginName, endName } from "./lock-owner.js"
import { StoreLayout } from "./store-layout.js"

const PATIENT = 30_000

test("two holders of one lock take turns", async () => {
  await using store = await locksFolder()
  const [first, second] = [store.locks(PATIENT), store.locks(PATIENT)]
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

test("hold returns what its action returns, and nothing is left afterwards", async () => {
  await using store = await locksFolder()
  const locks = store.locks(PATIENT)
  const result = await locks.hold("a", async ({ verify, prepared }) => {
    verify()
    return (await stat(prepared)).size
  })
  expect(result).toBe(0)
  expect(await store.remains()).toEqual([])
})

test("the lock is released when the action throws", async () => {
  await using store = await locksFolder()
  const locks = store.locks(0)
  const failing = locks.hold("a", async () => {
    throw new Error("in the action")
  })
  await expect(failing).rejects.toThrow("in the action")
  await expect(locks.hold("a", async () => "free")).resolves.toBe("free")
})

test("a lock that stays taken is reported as LOCKED, with its path and the process that holds it", async () => {
  await using store = await locksFolder()
  const locks = store.locks(20)
  await locks.hold("a", async () => {
    const attempt = locks.hold("a", async () => "never")
    const error = await attempt.catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: "LOCKED", path: locks.path("a") })
    expect(String(error)).toContain(`(${process.pid})`)
    expect(await readdir(store.layout.temporary)).toEqual([])
  })
})

// The names of owners state process, start and system: these state one that ended, one that had the id before, and
// one that runs elsewhere.
const self = beginName()
endName(self)
const [pid, started, host, token] = self.split("-") as [string, string, string, string]
const DEAD = ["4194304", started, host, token].join("-")
const EARLIER = [String(process.ppid), "1", host, token].join("-")
const ELSEWHERE = [pid, started, "0123456789abcdef", token].join("-")

test.each([
  ["of a process that ended", DEAD],
  ["of a process whose id another one has now", EARLIER],
])("a lock %s is taken over at once, also when it is dated in the future", async (_, owner) => {
  await using store = await locksFolder()
  const locks = store.locks(0)
  await store.place(locks.path("a"), owner, new Date("2999-01-01"))
  await expect(locks.hold("a", async () => "taken over")).resolves.toBe("taken over")
  expect(await store.remains()).toEqual([])
})

test.each([
  ["of another system", ELSEWHERE],
  ["whose owner has no name", "owner"],
])(
  "a lock %s is taken over when it has shown no sign of life while this process watched",
  async (_, owner) => {
    await using store = await locksFolder()
    const locks = store.locks(0)
    const path = locks.path("a")
    await store.place(path, owner, new Date("2999-01-01"))
    using clock = watchedClock()
    const attempt = () => locks.hold("a", async () => "taken over")
    await expect(attempt()).rejects.toMatchObject({ code: "LOCKED" })
    clock.advance(STALE_AFTER - 1)
    await expect(attempt()).rejects.toMatchObject({ code: "LOCKED" })

    await utimes(join(path, owner), new Date("1980-01-01"), new Date("1980-01-01"))
    clock.advance(1)
    await expect(attempt()).rejects.toMatchObject({ code: "LOCKED" })
    clock.advance(STALE_AFTER)
    await expect(attempt()).resolves.toBe("taken over")
    expect(await store.remains()).toEqual([])
  },
)

test("of those who find one lock of a dead process, one at a time gets it", async () => {
  await using store = await locksFolder()
  let inside = 0
  for (let round = 0; round < 20; round++) {
    await store.place(store.locks(0).path("a"), DEAD)
    const turns = Array.from({ length: 5 }, () =>
      store.locks(PATIENT).hold("a", async ({ verify }) => {
        expect(++inside).toBe(1)
        await new Promise(setImmediate)
        verify()
        inside--
      }),
    )
    await Promise.all(turns)
  }
  expect(await store.remains()).toEqual([])
})

test("a holder that lost its lock changes nothing, and leaves the lock of its successor", async () => {
  await using store = await locksFolder()
  const locks = store.locks(PATIENT)
  const record = join(store.layout.root, "record.json")
  await writeFile(record, "0")
  await locks.hold("a", async ({ verify, prepared }) => {
    await rm(prepared)
    await locks.hold("a", async (successor) => {
      expect(verify).toThrow(expect.objectContaining({ code: "LOCKED" }))
      expect(await commitFile(prepared, record, "lost")).toBe(false)
      successor.verify()
      expect(await commitFile(successor.prepared, record, "1")).toBe(true)
    })
  })
  expect(await readdir(store.layout.root)).toEqual([".sessile", "record.json"])
  expect((await stat(record)).size).toBe(1)
  expect(await store.remains()).toEqual([])
})

test("many names have many locks, each a plain name in the folder", async () => {
  await using store = await locksFolder()
  const locks = store.locks(0)
  const names = ["a", "a\0b", "../a", "A", "x".repeat(5000)]
  expect(new Set(names.map((name) => locks.path(name).toLowerCase())).size).toBe(names.length)
  for (const name of names) expect(locks.path(name)).toMatch(/[\\/][0-9a-f]{32}$/)
})

test("what keeps a lock from being made is reported as a storage error", async () => {
  await using folder = await temporaryFolder()
  await writeFile(join(folder.path, "file"), "")
  const locks = new FileLocks(new StoreLayout(join(folder.path, "file")), 0)
  await expect(locks.hold("a", async () => "never")).rejects.toMatchObject({
    name: "StorageError",
    code: "IO",
  })
})

test("a file in the place of a lock is reported as a storage error", async () => {
  await using store = await locksFolder()
  const locks = store.locks(0)
  await mkdir(store.layout.locks, { recursive: true })
  await writeFile(locks.path("a"), "")
  await expect(locks.hold("a", async () => "never")).rejects.toMatchObject({
    code: "IO",
    path: locks.path("a"),
  })
})

async function locksFolder() {
  const folder = await temporaryFolder()
  const layout = new StoreLayout(folder.path)
  return {
    layout,
    locks: (timeout: number) => new FileLocks(layout, timeout),
    /** Makes the lock of an owner. */
    async place(path: string, owner: string, time = new Date()) {
      await mkdir(path, { recursive: true })
      await writeFile(join(path, owner), "")
      for (const place of [join(path, owner), path]) await utimes(place, time, time)
    },
    async remains(): Promise<string[]> {
      const lists = [layout.locks, layout.temporary].map((path) => readdir(path))
      return (await Promise.all(lists)).flat()
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  }
}

/** The clock of this process, which goes on when it is told to. */
function watchedClock() {
  let now = 1000
  const spy = vi.spyOn(performance, "now").mockImplementation(() => now)
  return {
    advance(milliseconds: number) {
      now += milliseconds
    },
    [Symbol.dispose]: () => spy.mockRestore(),
  }
}
