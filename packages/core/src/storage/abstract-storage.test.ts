import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "vitest"
import { AbstractStorage, type AbstractStorageSettings } from "./abstract-storage.js"
import { compareUtf8, decodeKey, encodeKey } from "./key.js"
import { isWithin, type Span } from "./span.js"
import type { Storage } from "./storage.js"

/** Only what an adapter must implement. It logs what it does, and waits at each step while a gate is shut. */
class GatedStorage extends AbstractStorage {
  readonly capabilities = {
    durable: false,
    atomicBatch: false,
    multiProcess: false,
    snapshots: false,
    checksums: false,
  } as const
  readonly texts = new Map<string, string>()
  readonly log: string[] = []
  gate: Promise<void> | undefined
  failure: Error | undefined

  constructor(settings: AbstractStorageSettings = {}) {
    super(settings)
  }

  protected async _read(key: string): Promise<string | undefined> {
    await this.#step(`read ${key}`)
    return this.texts.get(key)
  }

  protected async _write(key: string, text: string): Promise<void> {
    await this.#step(`write ${key}`)
    this.texts.set(key, text)
  }

  protected async _remove(key: string): Promise<void> {
    await this.#step(`remove ${key}`)
    this.texts.delete(key)
  }

  protected async *_keys(span: Span): AsyncGenerator<string[], void, void> {
    await this.#step("keys")
    yield [...this.texts.keys()].filter((key) => isWithin(span, key)).sort(compareUtf8)
  }

  protected override async _close(): Promise<void> {
    this.log.push("close")
  }

  async #step(name: string): Promise<void> {
    await this.gate
    this.log.push(name)
    if (this.failure !== undefined && name.endsWith("broken")) throw this.failure
  }
}

const changes: [string, (storage: Storage) => Promise<unknown>][] = [
  ["write", (storage) => storage.write(["a"], 1)],
  ["update", (storage) => storage.update(["a"], () => undefined)],
  ["remove", (storage) => storage.remove(["a"])],
  ["batch", (storage) => storage.batch([{ type: "write", key: ["a"], value: 1 }])],
]
const questions: [string, (storage: Storage) => Promise<unknown>][] = [
  ["read", (storage) => storage.read(["a"])],
  ["list", (storage) => storage.list([])],
  ["scan", (storage) => first(storage.scan([]))],
  ["scanMany", (storage) => first(storage.scanMany([[]]))],
  ["find", (storage) => first(storage.find("sessions-by-updated"))],
]

describe("closing", () => {
  it.each([...changes, ...questions])("%s rejects with CLOSED afterwards", async (_, act) => {
    const storage = new GatedStorage()
    await storage.close()
    await expect(act(storage)).rejects.toMatchObject({ name: "StorageError", code: "CLOSED" })
    expect(storage.log).toEqual(["close"])
  })

  it("CLOSED comes before any other complaint", async () => {
    const storage = new GatedStorage({ readonly: true })
    await storage.close()
    await expect(storage.write([], undefined)).rejects.toMatchObject({ code: "CLOSED" })
    await expect(storage.read([""])).rejects.toMatchObject({ code: "CLOSED" })
    await expect(first(storage.find("nothing"))).rejects.toMatchObject({ code: "CLOSED" })
  })

  it.each([...changes, ...questions])("waits for a %s under way", async (_, act) => {
    const storage = new GatedStorage()
    storage.texts.set("a", "1")
    const { open } = shut(storage)
    const acting = act(storage)
    const closing = storage.close()
    await nextTurn()
    expect(storage.log).toEqual([])
    open()
    await Promise.all([acting, closing])
    expect(storage.log.length).toBeGreaterThan(1)
    expect(storage.log.at(-1)).toBe("close")
  })

  it("waits for everything under way, what waits for a lock and what fails included", async () => {
    const storage = new GatedStorage()
    storage.failure = new Error("disk")
    const { open } = shut(storage)
    const acts = [
      storage.write(["a"], 1),
      storage.write(["a"], 2),
      storage.remove(["a"]),
      storage.write(["broken"], 1),
    ]
    const outcomes = Promise.allSettled(acts)
    const closing = storage.close()
    open()
    await closing
    expect(storage.log).toEqual(["write a", "write broken", "write a", "remove a", "close"])
    expect((await outcomes).map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "fulfilled",
      "rejected",
    ])
  })

  it("refuses what comes while it is waiting", async () => {
    const storage = new GatedStorage()
    const { open } = shut(storage)
    const writing = storage.write(["a"], 1)
    const closing = storage.close()
    await expect(storage.write(["b"], 1)).rejects.toMatchObject({ code: "CLOSED" })
    open()
    await Promise.all([writing, closing])
    expect(storage.texts.size).toBe(1)
  })

  it("closing twice is fine, at once or later, and lets go once", async () => {
    const storage = new GatedStorage()
    await Promise.all([storage.close(), storage.close()])
    await storage.close()
    expect(storage.log).toEqual(["close"])
  })

  it("happens at the end of an await using block", async () => {
    const storage = new GatedStorage()
    await storage[Symbol.asyncDispose]()
    expect(storage.log).toEqual(["close"])
    await expect(storage.read(["a"])).rejects.toMatchObject({ code: "CLOSED" })
  })
})

describe("a store opened for reading", () => {
  it.each(changes)("%s rejects with READONLY and changes nothing", async (_, act) => {
    const storage = new GatedStorage({ readonly: true })
    storage.texts.set("a", '"before"')
    await expect(act(storage)).rejects.toMatchObject({ name: "StorageError", code: "READONLY" })
    expect(storage.texts).toEqual(new Map([["a", '"before"']]))
    expect(storage.log).toEqual([])
  })

  it.each(questions)("%s answers", async (_, act) => {
    const storage = new GatedStorage({ readonly: true })
    storage.texts.set("a", "1")
    await expect(act(storage)).resolves.toBeDefined()
  })
})

describe("update", () => {
  const key = ["counter"]

  it("stores what the editor made of the value, and gives what was stored", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1, kept: true })
    const updated = await storage.update<Counter>(key, (draft) => {
      draft.count++
      draft.gone = undefined
    })
    expect(updated).toStrictEqual({ count: 2, kept: true })
    expect(storage.texts.get(encodeKey(key))).toBe('{"count":2,"kept":true}')
    updated.count = 99
    expect(await storage.read(key)).toEqual({ count: 2, kept: true })
  })

  it("a draft that is changed later changes nothing", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1 })
    const drafts: Counter[] = []
    await storage.update<Counter>(key, (draft) => void drafts.push(draft))
    for (const draft of drafts) draft.count = 99
    expect(await storage.read(key)).toEqual({ count: 1 })
  })

  it("an absent record rejects with NOT_FOUND, without asking the editor", async () => {
    const storage = new GatedStorage()
    let asked = false
    const updating = storage.update(key, () => {
      asked = true
    })
    await expect(updating).rejects.toMatchObject({ code: "NOT_FOUND", key })
    expect(asked).toBe(false)
    expect(storage.texts.size).toBe(0)
  })

  it("when the editor throws, its error comes through and nothing changes", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1 })
    const failure = new Error("no")
    const updating = storage.update<Counter>(key, (draft) => {
      draft.count = 2
      throw failure
    })
    await expect(updating).rejects.toBe(failure)
    expect(await storage.read(key)).toEqual({ count: 1 })
    expect((await storage.update<Counter>(key, (draft) => void draft.count++)).count).toBe(2)
  })

  it("a draft that is no JSON any more is refused, and nothing changes", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1 })
    const updating = storage.update<Counter>(key, (draft) => {
      draft.count = Number.NaN
    })
    await expect(updating).rejects.toMatchObject({ code: "INVALID_VALUE", key })
    expect(await storage.read(key)).toEqual({ count: 1 })
  })

  it("an asynchronous editor is refused, and its later rejection is handled", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1 })
    const unhandled: unknown[] = []
    const listen = (reason: unknown) => unhandled.push(reason)
    process.on("unhandledRejection", listen)
    try {
      const { promise: later, reject: fail } = deferred()
      const updating = storage.update<Counter>(key, async (draft) => {
        draft.count = 2
        await later
      })
      await expect(updating).rejects.toMatchObject({ code: "INVALID_ARGUMENT", key })
      fail(new Error("too late"))
      await nextTurn()
      expect(unhandled).toEqual([])
    } finally {
      process.off("unhandledRejection", listen)
    }
    expect(await storage.read(key)).toEqual({ count: 1 })
  })

  it("an editor may return what is no promise", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 1 })
    await storage.update<Counter>(key, (draft) => Object.assign(draft, { count: 2 }))
    expect(await storage.update<Counter>(key, (draft) => draft.count++)).toEqual({ count: 3 })
  })

  it("concurrent updates are not lost", async () => {
    const storage = new GatedStorage()
    await storage.write(key, { count: 0 })
    const updates = Array.from({ length: 100 }, () =>
      storage.update<Counter>(key, (draft) => void draft.count++),
    )
    const counts = (await Promise.all(updates)).map(({ count }) => count)
    expect(counts).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect(await storage.read(key)).toEqual({ count: 100 })
  })

  it("neither a write nor a batch comes between its reading and its writing", async () => {
    const storage = new GatedStorage()
    storage.texts.set("counter", '{"count":1}')
    const { open } = shut(storage)
    const acts = [
      storage.update<Counter>(key, (draft) => void draft.count++),
      storage.batch([{ type: "write", key, value: { count: 10 } }]),
      storage.update<Counter>(key, (draft) => void draft.count++),
      storage.write(key, { count: 20 }),
      storage.read(key),
    ]
    open()
    const results = await Promise.all(acts)
    expect(results).toEqual([{ count: 2 }, undefined, { count: 11 }, undefined, { count: 20 }])
  })
})

describe("batch", () => {
  it("two that name the same keys in opposite order happen one after the other", async () => {
    const storage = new GatedStorage()
    const writes = (value: number, ...names: string[]) =>
      names.map((name) => ({ type: "write" as const, key: [name], value }))
    await Promise.all([storage.batch(writes(1, "a", "b", "c")), storage.batch(writes(2, "c", "b", "a"))])
    expect(storage.log).toEqual(["write a", "write b", "write c", "write c", "write b", "write a"])
    expect(new Set(storage.texts.values())).toEqual(new Set(["2"]))
  })
})

describe("a batch of a store that is not atomic", () => {
  it("leaves the operations before a failure done and those behind it undone", async () => {
    const storage = new GatedStorage()
    storage.failure = new Error("disk")
    const batching = storage.batch([
      { type: "write", key: ["a"], value: 1 },
      { type: "write", key: ["broken"], value: 2 },
      { type: "write", key: ["c"], value: 3 },
    ])
    await expect(batching).rejects.toBe(storage.failure)
    expect([...storage.texts.keys()].map(decodeKey)).toEqual([["a"]])
    await expect(storage.write(["c"], 4)).resolves.toBeUndefined()
  })

  it("rejects with UNSUPPORTED before anything happens when it must be atomic", async () => {
    const storage = new GatedStorage()
    const batching = storage.batch([{ type: "write", key: ["a"], value: 1 }], { atomic: true })
    await expect(batching).rejects.toMatchObject({
      code: "UNSUPPORTED",
      message: expect.stringContaining("capabilities.atomicBatch"),
    })
    expect(storage.log).toEqual([])
  })
})

describe("arguments of the wrong kind", () => {
  const wrong = undefined as never
  it.each<[string, (storage: Storage) => Promise<unknown>]>([
    ["an editor", (storage) => storage.update(["a"], wrong)],
    ["a list of operations", (storage) => storage.batch(wrong)],
    ["an operation", (storage) => storage.batch([wrong])],
    ["a list of prefixes", async (storage) => storage.scanMany(wrong)[Symbol.asyncIterator]().next()],
  ])("%s is refused with INVALID_ARGUMENT", async (_, call) => {
    await expect(call(new GatedStorage())).rejects.toMatchObject({ code: "INVALID_ARGUMENT" })
  })
})

describe("settings", () => {
  it("indent sets the spaces per level of the texts", async () => {
    const [plain, indented] = [new GatedStorage(), new GatedStorage({ indent: 2 })]
    for (const storage of [plain, indented]) {
      await storage.batch([{ type: "write", key: ["a"], value: { list: [1] } }])
      await storage.write(["b"], { list: [1] })
      await storage.update<{ list: number[] }>(["b"], (draft) => void draft.list.push(2))
    }
    expect([...plain.texts.values()]).toEqual(['{"list":[1]}', '{"list":[1,2]}'])
    expect(indented.texts.get("a")).toBe('{\n  "list": [\n    1\n  ]\n}')
    expect(indented.texts.get("b")).toBe('{\n  "list": [\n    1,\n    2\n  ]\n}')
  })

  it("indexes replace the standard ones", async () => {
    const index = { name: "todos", prefix: ["todo"], keyLength: 2, terms: [{ key: 1 }] }
    const storage = new GatedStorage({ indexes: [index] })
    await storage.write(["todo", "ses_1"], [])
    expect(await first(storage.find("todos"))).toMatchObject({ value: { key: ["todo", "ses_1"] } })
    await expect(first(storage.find("sessions-by-updated"))).rejects.toMatchObject({ code: "UNSUPPORTED" })
  })
})

interface Counter {
  count: number
  gone?: string | undefined
}

function shut(storage: GatedStorage): { open: () => void } {
  const { promise, resolve } = deferred()
  storage.gate = promise
  return { open: resolve }
}

function deferred() {
  const settle = {} as { resolve: () => void; reject: (reason: Error) => void }
  const promise = new Promise<void>((resolve, reject) => Object.assign(settle, { resolve, reject }))
  return { promise, ...settle }
}

function first<T>(entries: AsyncIterable<T>): Promise<IteratorResult<T>> {
  return entries[Symbol.asyncIterator]().next()
}
