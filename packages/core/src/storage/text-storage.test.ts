import { describe, expect, it } from "vitest"
import { encodeKey } from "./key.js"
import { MemoryStorage } from "./memory-storage.js"
import { isInShare, isTextStorage } from "./text-storage.js"

const key = (...segments: string[]) => encodeKey(segments)

async function gather<T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> {
  const gathered: T[] = []
  for await (const page of pages) gathered.push(...page)
  return gathered
}

describe("a store that extends AbstractStorage", () => {
  it("is a text storage, and a bare implementation of the contract is not", () => {
    const storage = new MemoryStorage()
    expect(isTextStorage(storage)).toBe(true)
    const { read, write, update, remove, list, scan, scanMany, find, batch, close, capabilities } = storage
    const bare = { read, write, update, remove, list, scan, scanMany, find, batch, close, capabilities }
    expect(isTextStorage({ ...bare, [Symbol.asyncDispose]: close })).toBe(false)
  })

  it("has nothing to report of itself, and checks nothing once it is closed", async () => {
    const storage = new MemoryStorage()
    expect(await storage.check()).toEqual([])
    await storage.close()
    await expect(storage.check()).rejects.toMatchObject({ code: "CLOSED" })
  })

  it("gives what it wrote itself as opencode would have written it", async () => {
    const storage = new MemoryStorage()
    await storage.write(["b"], { text: "x" })
    await storage.write(["a", "1"], [])
    expect(await gather(storage.scanTexts())).toEqual([
      { key: key("a", "1"), text: "[]" },
      { key: key("b"), text: '{\n  "text": "x"\n}' },
    ])
  })

  it("gives back the very text that was added, and its value", async () => {
    const storage = new MemoryStorage()
    const text = '\uFEFF{"a": 1.0, "a": 2}'
    expect(await storage.addTexts([{ key: key("k"), text }])).toEqual([undefined])
    expect(await storage.readTexts([key("k"), key("absent")])).toEqual([{ key: key("k"), text }, undefined])
    expect(await storage.read(["k"])).toEqual({ a: 2 })
  })

  it("adds what is missing, leaves what is there, and says what that is", async () => {
    const storage = new MemoryStorage()
    await storage.write(["k", "1"], 1)
    const added = await storage.addTexts([
      { key: key("k", "1"), text: "2" },
      { key: key("k", "2"), text: "2" },
    ])
    expect(added).toEqual([{ key: key("k", "1"), text: "1" }, undefined])
    expect([await storage.read(["k", "1"]), await storage.read(["k", "2"])]).toEqual([1, 2])
  })

  it("replaces what is there when told to", async () => {
    const storage = new MemoryStorage()
    await storage.write(["k"], 1)
    await storage.writeTexts([{ key: key("k"), text: "2" }])
    expect(await storage.read(["k"])).toBe(2)
  })

  it("keeps its indexes up to date when texts are added", async () => {
    const storage = new MemoryStorage()
    await storage.addTexts([{ key: key("session", "p", "s"), text: '{"time":{"updated":5}}' }])
    for await (const { key: found } of storage.find("sessions-by-updated", { limit: 1 })) {
      expect(found).toEqual(["session", "p", "s"])
    }
    expect.assertions(1)
  })

  it("scans below given prefixes only", async () => {
    const storage = new MemoryStorage()
    for (const id of ["a", "b", "c"]) await storage.write([id, "x"], id)
    const entries = await gather(storage.scanTexts({ prefixes: [["c"], ["a"]] }))
    expect(entries.map((entry) => entry.key)).toEqual([key("a", "x"), key("c", "x")])
  })

  it("rejects once it is closed", async () => {
    const storage = new MemoryStorage()
    await storage.close()
    await expect(storage.readTexts([])).rejects.toMatchObject({ code: "CLOSED" })
    await expect(storage.addTexts([])).rejects.toMatchObject({ code: "CLOSED" })
    await expect(storage.flush()).rejects.toMatchObject({ code: "CLOSED" })
    await expect(gather(storage.scanTexts())).rejects.toMatchObject({ code: "CLOSED" })
  })
})

describe("shares", () => {
  const keys = Array.from({ length: 3000 }, (_, index) =>
    key("part", `msg_${(index / 3) | 0}`, `prt_${index}`),
  )

  it("are disjoint, complete and of about the same size", () => {
    for (const count of [1, 2, 3, 8]) {
      const sizes = Array.from(
        { length: count },
        (_, index) => keys.filter((candidate) => isInShare({ index, count }, candidate)).length,
      )
      expect(sizes.reduce((sum, size) => sum + size)).toBe(keys.length)
      for (const size of sizes) expect(size).toBeGreaterThan((keys.length / count) * 0.7)
    }
  })

  it("keep together what is below the same two segments", () => {
    const share = { index: 0, count: 2 }
    for (let index = 0; index < keys.length; index += 3) {
      const together = keys.slice(index, index + 3).map((candidate) => isInShare(share, candidate))
      expect(new Set(together).size).toBe(1)
    }
  })

  it("of a scan are what belongs to them", async () => {
    const storage = new MemoryStorage()
    await storage.addTexts(keys.map((candidate) => ({ key: candidate, text: "{}" })))
    const share = { index: 1, count: 2 }
    const scanned = await gather(storage.scanTexts({ share }))
    expect(await gather(storage.scanKeys({ share }))).toEqual(scanned.map((entry) => entry.key))
    expect(await gather(storage.scanKeys())).toHaveLength(keys.length)
    expect(scanned.map((entry) => entry.key).sort()).toEqual(
      keys.filter((candidate) => isInShare(share, candidate)).sort(),
    )
  })
})
