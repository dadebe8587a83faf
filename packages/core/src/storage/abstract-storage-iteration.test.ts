import { describe, expect, it } from "vitest"
import { AbstractStorage } from "./abstract-storage.js"
import { compareUtf8, encodeKey, type Key } from "./key.js"
import { MemoryStorage } from "./memory-storage.js"
import { isWithin, type Span } from "./span.js"
import type { Entry, ScanOptions, Storage } from "./storage.js"
import { StorageError } from "./storage-error.js"

/** Only what an adapter must implement; its texts can be damaged, and it counts the iterators it has open. */
class FragileStorage extends AbstractStorage {
  readonly capabilities = {
    durable: false,
    atomicBatch: false,
    multiProcess: false,
    snapshots: false,
    checksums: false,
  } as const
  readonly texts = new Map<string, string>()
  open = 0

  constructor() {
    super({ indent: 2 })
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.texts.get(key)
  }

  protected async _write(key: string, text: string): Promise<void> {
    this.texts.set(key, text)
  }

  protected async _remove(key: string): Promise<void> {
    this.texts.delete(key)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    const keys = [...this.texts.keys()].filter((key) => isWithin(span, key)).sort(compareUtf8)
    this.open++
    try {
      yield reverse ? keys.reverse() : keys
    } finally {
      this.open--
    }
  }

  protected override _locate(key: string): string {
    return `/data/${key.replaceAll("\0", "/")}.json`
  }
}

describe.each<[string, () => Storage]>([
  ["MemoryStorage", () => new MemoryStorage()],
  ["an adapter with the default iteration", () => new FragileStorage()],
])("%s", (_, open) => {
  const stored = [["a"], ["a", "1"], ["a", "2"], ["a", "2", "x"], ["b", "1"], ["c", "1"], ["c", "2"]]

  it("a scan gives the records below a prefix with their values", async () => {
    const storage = await filled(open(), stored)
    expect(await collect(storage.scan(["c"]))).toEqual([
      { key: ["c", "1"], value: "c/1" },
      { key: ["c", "2"], value: "c/2" },
    ])
    expect(await names(storage.scan([]))).toEqual(stored.map((key) => key.join("/")))
    expect(await names(storage.scan(["nothing"]))).toEqual([])
  })

  it("no prefix gives nothing, the empty prefix everything", async () => {
    const storage = await filled(open(), stored)
    expect(await names(storage.scanMany([]))).toEqual([])
    expect(await names(storage.scanMany([[]]))).toEqual(stored.map((key) => key.join("/")))
  })

  it("several prefixes give their records in key order, each once", async () => {
    const storage = await filled(open(), stored)
    const prefixes = [["c"], ["a", "2"], ["a"], ["c"]]
    expect(await names(storage.scanMany(prefixes))).toEqual(["a/1", "a/2", "a/2/x", "c/1", "c/2"])
    expect(await names(storage.scanMany(prefixes, { reverse: true }))).toEqual([
      "c/2",
      "c/1",
      "a/2/x",
      "a/2",
      "a/1",
    ])
  })

  it("a limit counts over all prefixes", async () => {
    const storage = await filled(open(), stored)
    const prefixes = [["c"], ["b"], ["a"]]
    expect(await names(storage.scanMany(prefixes, { limit: 4 }))).toEqual(["a/1", "a/2", "a/2/x", "b/1"])
    expect(await names(storage.scanMany(prefixes, { limit: 3, reverse: true }))).toEqual([
      "c/2",
      "c/1",
      "b/1",
    ])
    expect(await names(storage.scanMany(prefixes, { limit: 0 }))).toEqual([])
  })

  it("bounds hold across prefixes", async () => {
    const storage = await filled(open(), stored)
    const bounds = { gt: ["a", "2"], lte: ["c", "1"] }
    expect(await names(storage.scanMany([["a"], ["c"]], bounds))).toEqual(["a/2/x", "c/1"])
    expect(await names(storage.scan(["a"], bounds))).toEqual(["a/2/x"])
  })

  it.each<[unknown]>([["a"], [["a", ""]], [["a", 1]], [["\ud83d"]], [undefined]])(
    "the prefix %j is refused",
    async (prefix) => {
      await expect(names(open().scan(prefix as Key))).rejects.toMatchObject({ code: "INVALID_KEY" })
      await expect(names(open().scanMany([["a"], prefix as Key]))).rejects.toMatchObject({
        code: "INVALID_KEY",
      })
    },
  )

  it.each<[unknown, string]>([
    [{ revers: true }, '"reverse"'],
    [{ onCorupt: () => undefined }, '"onCorrupt"'],
    [{ snapshots: true }, '"snapshot"'],
    [{ onCorrupt: "skip" }, "function"],
    [{ snapshot: 1 }, "boolean"],
    [{ limit: 0.5 }, "count"],
    [null, "object"],
  ])("the options %j are refused", async (options, advice) => {
    await expect(names(open().scan(["a"], options as ScanOptions))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
      message: expect.stringContaining(advice),
    })
  })

  it("an index gives its records in its order", async () => {
    const storage = open()
    await storage.write(["session", "p", "1"], { time: { updated: 3 } })
    await storage.write(["session", "q", "2"], { time: { updated: 1 } })
    await storage.write(["session", "p", "3"], { time: { updated: 2 } })
    const find = (query: object) => names(storage.find("sessions-by-updated", query))
    expect(await find({})).toEqual(["session/q/2", "session/p/3", "session/p/1"])
    expect(await find({ gte: 2, reverse: true })).toEqual(["session/p/1", "session/p/3"])
    expect(await find({ equals: [1] })).toEqual(["session/q/2"])
    expect(await find({ limit: 1 })).toEqual(["session/q/2"])
  })

  it("an index that is not declared is UNSUPPORTED, and the message names those that are", async () => {
    await expect(names(open().find("sessions-by-mood"))).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("sessions-by-updated"),
    })
  })

  it("a query that does not fit the index is refused", async () => {
    await expect(names(open().find("sessions-by-updated", { equals: [1, 2] }))).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    })
  })

  it("an iterator that is open when the store closes rejects with CLOSED at its next step", async () => {
    const storage = await filled(open(), [
      ["session", "p", "1"],
      ["session", "p", "2"],
    ])
    const iterators = [
      storage.scan(["session"]),
      storage.scanMany([["session"]]),
      storage.find("sessions-by-updated"),
    ].map((entries) => entries[Symbol.asyncIterator]())
    for (const iterator of iterators) expect(await iterator.next()).toMatchObject({ done: false })
    await storage.close()
    for (const iterator of iterators) await expect(iterator.next()).rejects.toMatchObject({ code: "CLOSED" })
  })

  it("the store can be closed from within an iteration", async () => {
    const storage = await filled(open(), stored)
    const seen: Key[] = []
    const iteration = async () => {
      for await (const { key } of storage.scan([])) {
        seen.push(key)
        await storage.close()
      }
    }
    await expect(iteration()).rejects.toMatchObject({ code: "CLOSED" })
    expect(seen).toEqual([["a"]])
  })
})

describe("damaged records", () => {
  const damage = async () => {
    const storage = new FragileStorage()
    for (const id of ["1", "2", "3"])
      await storage.write(["session", "p", id], { time: { updated: Number(id) } })
    storage.texts.set(encodeKey(["session", "p", "2"]), '{"token":"sk-c0ffee')
    return storage
  }

  it("end an iteration with their error", async () => {
    const storage = await damage()
    const seen: Key[] = []
    const iteration = async () => {
      for await (const { key } of storage.scan(["session"])) seen.push(key)
    }
    await expect(iteration()).rejects.toMatchObject({
      code: "CORRUPT",
      key: ["session", "p", "2"],
      path: "/data/session/p/2.json",
    })
    expect(seen).toEqual([["session", "p", "1"]])
    await expect(names(storage.find("sessions-by-updated"))).rejects.toMatchObject({ code: "CORRUPT" })
    expect(storage.open).toBe(0)
  })

  it.each<
    [
      string,
      (storage: Storage, options: Pick<ScanOptions, "limit" | "onCorrupt">) => AsyncIterable<Entry<unknown>>,
    ]
  >([
    ["scan", (storage, options) => storage.scan(["session"], options)],
    ["scanMany", (storage, options) => storage.scanMany([["session"]], options)],
    ["find", (storage, options) => storage.find("sessions-by-updated", options)],
  ])("are handed to onCorrupt, and %s goes on; they do not count", async (_, iterate) => {
    const errors: StorageError[] = []
    const onCorrupt = (error: StorageError) => errors.push(error)
    const found = await names(iterate(await damage(), { onCorrupt, limit: 2 }))
    expect(found).toEqual(["session/p/1", "session/p/3"])
    expect(errors).toMatchObject([
      { code: "CORRUPT", key: ["session", "p", "2"], path: "/data/session/p/2.json" },
    ])
    expect(`${errors[0]?.stack}`).not.toContain("sk-c0ffee")
  })

  it("an error that onCorrupt throws ends the iteration", async () => {
    const failure = new Error("enough")
    const storage = await damage()
    const onCorrupt = () => {
      throw failure
    }
    await expect(names(storage.scan([], { onCorrupt }))).rejects.toBe(failure)
    expect(storage.open).toBe(0)
  })

  it("reading and updating one rejects with CORRUPT, and leaves it as it is", async () => {
    const storage = await damage()
    const key = ["session", "p", "2"]
    const error = { code: "CORRUPT", key, path: "/data/session/p/2.json" }
    await expect(storage.read(key)).rejects.toMatchObject(error)
    await expect(storage.update(key, () => undefined)).rejects.toMatchObject(error)
    expect(storage.texts.get(encodeKey(key))).toBe('{"token":"sk-c0ffee')
  })

  it("can be listed, replaced and removed", async () => {
    const storage = await damage()
    const key = ["session", "p", "2"]
    expect(await storage.list(["session"])).toHaveLength(3)
    await storage.write(key, "whole again")
    expect(await storage.read(key)).toBe("whole again")
    storage.texts.set(encodeKey(key), "")
    await storage.remove(key)
    expect(await storage.list(["session"])).toHaveLength(2)
  })

  it("an entry that an adapter gives as an error is treated the same", async () => {
    const denied = new StorageError("DENIED", "Cannot read")
    class DeniedStorage extends MemoryStorage {
      protected override async *_entries() {
        yield [
          { key: "a", error: denied },
          { key: "b", text: "1" },
        ]
      }
    }
    await expect(names(new DeniedStorage().scan([]))).rejects.toBe(denied)
    const errors: unknown[] = []
    expect(await names(new DeniedStorage().scan([], { onCorrupt: (error) => errors.push(error) }))).toEqual([
      "b",
    ])
    expect(errors).toEqual([denied])
  })
})

describe("the adapter's iterator", () => {
  const keys = [["a"], ["b"], ["c"]]

  it("is let go when the caller breaks off, reaches the limit or the end", async () => {
    const storage = await filled(new FragileStorage(), keys)
    for await (const _ of storage.scan([])) {
      expect(storage.open).toBe(1)
      break
    }
    expect(storage.open).toBe(0)
    await names(storage.scan([], { limit: 1 }))
    expect(storage.open).toBe(0)
    await names(storage.scan([]))
    expect(storage.open).toBe(0)
    await storage.list([], { limit: 1 })
    expect(storage.open).toBe(0)
  })

  it("is let go when the caller's loop throws, and when the store was closed", async () => {
    const storage = await filled(new FragileStorage(), keys)
    const iterator = storage.scan([])
    await iterator.next()
    await expect(iterator.throw(new Error("loop failed"))).rejects.toThrow("loop failed")
    expect(storage.open).toBe(0)

    const open = storage.scan([])
    await open.next()
    await storage.close()
    await expect(open.next()).rejects.toMatchObject({ code: "CLOSED" })
    expect(storage.open).toBe(0)
  })

  it("gets return called on it, also when it is no generator", async () => {
    let returned = 0
    class IteratorStorage extends MemoryStorage {
      protected override _entries() {
        const entries = super._entries({
          spans: [{ gte: "", lt: undefined }],
          reverse: false,
          limit: 9,
          snapshot: false,
        })
        return Object.assign(entries, {
          return: async () => {
            returned++
            return { done: true as const, value: undefined }
          },
        })
      }
    }
    const storage = await filled(new IteratorStorage(), keys)
    for await (const _ of storage.scan([])) break
    expect(returned).toBe(1)
  })

  it("is not asked for more than the caller takes", async () => {
    const storage = await filled(new FragileStorage(), keys)
    const iterator = storage.scan([])
    await iterator.next()
    storage.texts.delete(encodeKey(["b"]))
    expect(await iterator.next()).toMatchObject({ value: { key: ["c"] } })
    await iterator.return()
  })
})

async function filled<S extends Storage>(storage: S, keys: readonly Key[]): Promise<S> {
  for (const key of keys) await storage.write(key, key.join("/"))
  return storage
}

async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const entry of entries) collected.push(entry)
  return collected
}

async function names(entries: AsyncIterable<Entry<unknown>>): Promise<string[]> {
  return (await collect(entries)).map(({ key }) => key.join("/"))
}
