import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { KeyLock } from "./key-lock.js"

describe("KeyLock", () => {
  it("lets one writer at a time in, in the order they came", async () => {
    const { lock, log, step } = scene()
    await Promise.all(["a", "b", "c"].map((name) => lock.exclusive("key", step(name))))
    expect(log).toEqual(["a in", "a out", "b in", "b out", "c in", "c out"])
  })

  it("lets readers share", async () => {
    const { lock, log, step } = scene()
    await Promise.all(["a", "b", "c"].map((name) => lock.shared("key", step(name))))
    expect(log).toEqual(["a in", "b in", "c in", "a out", "b out", "c out"])
  })

  it("keeps readers out while a writer is in, and writers while a reader is", async () => {
    const { lock, log, step } = scene()
    await Promise.all([
      lock.exclusive("key", step("writer")),
      lock.shared("key", step("reader")),
      lock.exclusive("key", step("second writer")),
    ])
    expect(log).toEqual([
      "writer in",
      "writer out",
      "reader in",
      "reader out",
      "second writer in",
      "second writer out",
    ])
  })

  it("serves a waiting writer before the readers that came after it", async () => {
    const { lock, log, step } = scene()
    await Promise.all([
      lock.shared("key", step("reader")),
      lock.exclusive("key", step("writer")),
      lock.shared("key", step("late reader")),
      lock.shared("key", step("later reader")),
    ])
    expect(log).toEqual([
      "reader in",
      "reader out",
      "writer in",
      "writer out",
      "late reader in",
      "later reader in",
      "late reader out",
      "later reader out",
    ])
  })

  it("does not make different keys wait for each other", async () => {
    const { lock, log, step } = scene()
    await Promise.all([lock.exclusive("a", step("a")), lock.exclusive("b", step("b"))])
    expect(log).toEqual(["a in", "b in", "a out", "b out"])
  })

  it("gives what the action gives", async () => {
    const lock = new KeyLock()
    expect(await lock.shared("key", async () => 1)).toBe(1)
    expect(await lock.exclusive("key", async () => 2)).toBe(2)
    expect(await lock.exclusiveAll(["a", "b"], async () => 3)).toBe(3)
    expect(await lock.exclusiveAll([], async () => 4)).toBe(4)
  })

  it("lets go when the action fails, and passes its error on", async () => {
    const lock = new KeyLock()
    const failure = new Error("action failed")
    const fail = () => Promise.reject(failure)
    await expect(lock.shared("key", fail)).rejects.toBe(failure)
    await expect(lock.exclusive("key", fail)).rejects.toBe(failure)
    await expect(lock.exclusiveAll(["a", "key"], fail)).rejects.toBe(failure)
    await expect(
      lock.exclusive("key", () => {
        throw failure
      }),
    ).rejects.toBe(failure)
    expect(await lock.exclusiveAll(["a", "key"], async () => "free")).toBe("free")
  })

  it("holds all keys of exclusiveAll at once", async () => {
    const { lock, log, step } = scene()
    await Promise.all([
      lock.exclusive("b", step("b")),
      lock.exclusiveAll(["a", "b", "c"], step("all")),
      lock.shared("a", step("a")),
      lock.shared("c", step("c")),
    ])
    expect(log.indexOf("all in")).toBeGreaterThan(log.indexOf("b out"))
    expect(log.indexOf("a in")).toBeGreaterThan(log.indexOf("all out"))
    expect(log[log.indexOf("all in") + 1]).toBe("all out")
  })

  it("does not deadlock when many take overlapping sets of sorted keys", async () => {
    const lock = new KeyLock()
    const held = new Set<string>()
    let clashes = 0
    const sets = Array.from({ length: 200 }, (_, index) =>
      ["a", "b", "c", "d", "e"].filter((_, bit) => ((index % 31) + 1) & (1 << bit)),
    )
    await Promise.all(
      sets.map((keys) =>
        lock.exclusiveAll(keys, async () => {
          for (const key of keys) if (held.has(key)) clashes++
          for (const key of keys) held.add(key)
          await nextTurn()
          for (const key of keys) held.delete(key)
        }),
      ),
    )
    expect(clashes).toBe(0)
  })

  it("is free for a key while nobody holds it", async () => {
    const lock = new KeyLock()
    expect(lock.isFree("a")).toBe(true)
    const holding = lock.exclusive("a", nextTurn)
    expect([lock.isFree("a"), lock.isFree("b")]).toEqual([false, true])
    await holding
    expect(lock.isFree("a")).toBe(true)
  })

  it("takes 100,000 keys at once", async () => {
    const lock = new KeyLock()
    const keys = Array.from({ length: 100_000 }, (_, index) => String(index).padStart(6, "0"))
    const both = [lock.exclusiveAll(keys, async () => "first"), lock.exclusiveAll(keys, async () => "second")]
    expect(await Promise.all(both)).toEqual(["first", "second"])
  })
})

/** Steps that stay inside for one turn of the event loop, in which everybody who may come in does. */
function scene() {
  const log: string[] = []
  const step = (name: string) => async () => {
    log.push(`${name} in`)
    await nextTurn()
    log.push(`${name} out`)
  }
  return { lock: new KeyLock(), log, step }
}
