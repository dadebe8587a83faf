import { describe, expect, it } from "vitest"
import { AbstractStorage } from "./abstract-storage.js"
import { compareUtf8, type Key } from "./key.js"
import { MemoryStorage } from "./memory-storage.js"
import { isWithin, type Range, type Span } from "./span.js"
import type { ScanOptions, Storage } from "./storage.js"

/** Nothing but what an adapter must implement, so that every default is at work. */
class MinimalStorage extends AbstractStorage {
  readonly capabilities = {
    durable: false,
    atomicBatch: false,
    multiProcess: false,
    snapshots: false,
    checksums: false,
  } as const
  readonly #texts = new Map<string, string>()

  constructor() {
    super({ indent: 2 })
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#texts.get(key)
  }

  protected async _write(key: string, text: string): Promise<void> {
    this.#texts.set(key, text)
  }

  protected async _remove(key: string): Promise<void> {
    this.#texts.delete(key)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    const keys = [...this.#texts.keys()].filter((key) => isWithin(span, key)).sort(compareUtf8)
    yield reverse ? keys.reverse() : keys
  }
}

describe.each<[string, () => Storage]>([
  ["MemoryStorage", () => new MemoryStorage()],
  ["an adapter with nothing but the required methods", () => new MinimalStorage()],
])("%s", (_, open) => {
  const key = ["message", "ses_1", "msg_1"]

  describe("read and write", () => {
    it("a value comes back", async () => {
      const storage = open()
      await storage.write(key, { role: "user", parts: [1, null, "🐚"] })
      expect(await storage.read(key)).toEqual({ role: "user", parts: [1, null, "🐚"] })
    })

    it.each([null, false, 0, "", [], "text", [[]]])("a value may be %j", async (value) => {
      const storage = open()
      await storage.write(key, value)
      expect(await storage.read(key)).toEqual(value)
      expect(await entries(storage)).toEqual([[key, value]])
    })

    it("a write replaces what was there, as a whole", async () => {
      const storage = open()
      await storage.write(key, { a: 1, b: 2 })
      await storage.write(key, { c: 3 })
      expect(await storage.read(key)).toEqual({ c: 3 })
    })

    it("reading a key without a record rejects with NOT_FOUND", async () => {
      const storage = open()
      await storage.write([...key, "below"], 1)
      await expect(storage.read(key)).rejects.toMatchObject({ code: "NOT_FOUND", key })
      await expect(storage.read(["message"])).rejects.toMatchObject({ code: "NOT_FOUND" })
    })

    it("values come back as fresh copies", async () => {
      const storage = open()
      const value = { tags: ["a"] }
      const writing = storage.write(key, value)
      value.tags.push("changed after the call")
      await writing
      const first = await storage.read<typeof value>(key)
      first.tags.push("changed after reading")
      for await (const entry of storage.scan<typeof value>([])) entry.value.tags.push("changed in a scan")
      expect(await storage.read(key)).toEqual({ tags: ["a"] })
    })

    it("unknown fields and the order of properties are kept", async () => {
      const storage = open()
      const value = { z: 1, a: { future: true, b: [] }, m: null, __proto: 1 }
      await storage.write(key, value)
      expect(JSON.stringify(await storage.read(key))).toBe(JSON.stringify(value))
      const updated = await storage.update<{ z: number }>(key, (draft) => {
        draft.z = 2
      })
      expect(JSON.stringify(updated)).toBe(JSON.stringify({ ...value, z: 2 }))
      expect(JSON.stringify(await storage.read(key))).toBe(JSON.stringify({ ...value, z: 2 }))
    })

    it("what is not JSON is refused before anything changes", async () => {
      const storage = open()
      await storage.write(key, "before")
      for (const value of [undefined, () => 1, new Date(0), { a: [Number.NaN] }]) {
        await expect(storage.write(key, value)).rejects.toMatchObject({ code: "INVALID_VALUE", key })
      }
      expect(await storage.read(key)).toBe("before")
    })
  })

  describe("keys", () => {
    it("segments of 64 UTF-8 bytes and keys of 8 segments are taken", async () => {
      const storage = open()
      const long = ["a".repeat(64), "é".repeat(32), "日".repeat(21), "🐚".repeat(16), "b", "c", "d", "e"]
      await storage.write(long, 1)
      expect(await storage.read(long)).toBe(1)
      expect(await storage.list([])).toEqual([long])
    })

    it("no key reaches another key's record", async () => {
      const storage = open()
      const similar: Key[] = [
        ["a", "b"],
        ["a/b"],
        ["a\\b"],
        ["a\u0001b"],
        ["ab"],
        ["A", "b"],
        ["a", "b "],
        ["a", "b."],
        ["..", "a", "b"],
        ["é"],
        ["e\u0301"],
        ["\ufffd"],
        ["__proto__"],
        ["constructor"],
      ]
      for (const [index, name] of similar.entries()) await storage.write(name, index)
      expect(await Promise.all(similar.map((name) => storage.read(name)))).toEqual(
        similar.map((_, index) => index),
      )
      await storage.remove(["a", "b"])
      expect(await storage.list([])).toHaveLength(similar.length - 1)
    })

    it.each<[string, unknown]>([
      ["no array", "session"],
      ["an empty array", []],
      ["with an empty segment", ["a", ""]],
      ["with NUL", ["a\0b"]],
      ["with a lone surrogate", ["\ud83d"]],
      ["with a number", [1]],
    ])("every method refuses a key that is %s", async (_, invalid) => {
      const storage = open()
      const name = invalid as Key
      const refusals = [
        storage.read(name),
        storage.write(name, 1),
        storage.update(name, () => undefined),
        storage.remove(name),
        storage.batch([{ type: "write", key: name, value: 1 }]),
        storage.batch([{ type: "remove", key: name }]),
      ]
      const outcomes = await Promise.allSettled(refusals)
      const codes = outcomes.map((outcome) => outcome.status === "rejected" && outcome.reason.code)
      expect(codes).toEqual(refusals.map(() => "INVALID_KEY"))
    })
  })

  describe("remove", () => {
    it("removes the record and nothing below it", async () => {
      const storage = await filled(open(), [["a"], ["a", "b"], ["ab"]])
      await storage.remove(["a"])
      expect(await storage.list([])).toEqual([["a", "b"], ["ab"]])
    })

    it("removing an absent key resolves", async () => {
      await expect(open().remove(key)).resolves.toBeUndefined()
    })
  })

  describe("list", () => {
    const stored = [
      ["a"],
      ["a", "1"],
      ["a", "2"],
      ["a", "2", "x"],
      ["a", "é"],
      ["a", "\uffff"],
      ["a", "🐚"],
      ["a\u0001"],
      ["ab"],
    ]

    it("gives keys in the order of UTF-8 bytes, segment by segment", async () => {
      const storage = await filled(open(), stored.toReversed())
      expect(await storage.list([])).toEqual(stored)
    })

    it("a prefix selects strict descendants", async () => {
      const storage = await filled(open(), stored)
      expect(await storage.list(["a"])).toEqual(stored.slice(1, 7))
      expect(await storage.list(["a", "2"])).toEqual([["a", "2", "x"]])
      expect(await storage.list(["nothing"])).toEqual([])
    })

    it.each<[Range, string[]]>([
      [{ gt: ["a", "2"] }, ["2/x", "é", "\uffff", "🐚"]],
      [{ gte: ["a", "2"], lt: ["a", "é"] }, ["2", "2/x"]],
      [{ lte: ["a", "2"] }, ["1", "2"]],
      [{ gt: ["a", "\uffff"] }, ["🐚"]],
      [{ limit: 2 }, ["1", "2"]],
      [{ limit: 0 }, []],
      [{ limit: 99 }, ["1", "2", "2/x", "é", "\uffff", "🐚"]],
      [{ reverse: true, limit: 2 }, ["🐚", "\uffff"]],
      [{ reverse: true, lte: ["a", "2"] }, ["2", "1"]],
      [{ gte: ["z"] }, []],
      [{ lt: ["A"] }, []],
    ])("keeps to the range %j", async (range, expected) => {
      const storage = await filled(open(), stored)
      const keys = await storage.list(["a"], range)
      expect(keys.map((name) => name.slice(1).join("/"))).toEqual(expected)
    })

    it("gives keys that the caller may change", async () => {
      const storage = await filled(open(), [["a", "b"]])
      const [first] = (await storage.list([])) as [string[]]
      first.push("c")
      expect(await storage.list([])).toEqual([["a", "b"]])
    })

    it.each([{ reverce: true }, { limit: -1 }, { gt: ["a"], gte: ["a"] }, null])(
      "refuses %j",
      async (range) => {
        await expect(open().list([], range as Range)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" })
      },
    )
  })

  describe("batch", () => {
    it("carries operations out in order, also on the same key", async () => {
      const storage = await filled(open(), [["gone"]])
      await storage.batch([
        { type: "write", key: ["a"], value: 1 },
        { type: "remove", key: ["gone"] },
        { type: "write", key: ["a"], value: 2 },
        { type: "write", key: ["b"], value: 1 },
        { type: "remove", key: ["b"] },
        { type: "remove", key: ["c"] },
        { type: "write", key: ["c"], value: 3 },
      ])
      expect(await entries(storage)).toEqual([
        [["a"], 2],
        [["c"], 3],
      ])
    })

    it("an empty batch resolves", async () => {
      await expect(open().batch([])).resolves.toBeUndefined()
    })

    it.each<[string, object]>([
      ["INVALID_KEY", { type: "write", key: ["a", ""], value: 1 }],
      ["INVALID_KEY", { type: "remove", key: [] }],
      ["INVALID_VALUE", { type: "write", key: ["z"], value: undefined }],
      ["INVALID_VALUE", { type: "write", key: ["z"] }],
      ["INVALID_ARGUMENT", { type: "put", key: ["z"], value: 1 }],
    ])("an operation that is refused with %s changes nothing: %j", async (code, operation) => {
      const storage = await filled(open(), [["a"]])
      const before = { type: "write", key: ["a"], value: "changed" } as const
      const after = { type: "remove", key: ["a"] } as const
      await expect(storage.batch([before, operation as typeof after, after])).rejects.toMatchObject({ code })
      expect(await storage.read(["a"])).toBe("a")
    })

    it("takes what the operations are at the time of the call", async () => {
      const storage = open()
      const value = { a: 1 }
      const operations = [{ type: "write", key: ["x"], value } as const]
      const batching = storage.batch(operations)
      value.a = 2
      operations.pop()
      await batching
      expect(await storage.read(["x"])).toEqual({ a: 1 })
    })

    it("refuses options that it does not know", async () => {
      await expect(open().batch([], { atomc: true } as object)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        message: expect.stringContaining('"atomic"'),
      })
    })
  })

  describe("what is not declared", () => {
    it("an atomic batch is UNSUPPORTED, and changes nothing, unless declared", async () => {
      const storage = open()
      const batching = storage.batch([{ type: "write", key: ["a"], value: 1 }], { atomic: true })
      if (storage.capabilities.atomicBatch) return expect(batching).resolves.toBeUndefined()
      await expect(batching).rejects.toMatchObject({ code: "UNSUPPORTED" })
      expect(await storage.list([])).toEqual([])
    })

    it("a snapshot is UNSUPPORTED unless declared", async () => {
      const storage = await filled(open(), [["a"]])
      const scanning = entries(storage, { snapshot: true })
      if (storage.capabilities.snapshots) return expect(scanning).resolves.toEqual([[["a"], "a"]])
      await expect(scanning).rejects.toMatchObject({ code: "UNSUPPORTED" })
    })
  })
})

async function filled(storage: Storage, keys: readonly Key[]): Promise<Storage> {
  for (const key of keys) await storage.write(key, key.join("/"))
  return storage
}

async function entries(storage: Storage, options?: ScanOptions): Promise<[Key, unknown][]> {
  const found: [Key, unknown][] = []
  for await (const { key, value } of storage.scan([], options)) found.push([key, value])
  return found
}
