import fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { IndexDefinition } from "./index-definition.js"
import type { Key } from "./key.js"
import { MemoryStorage } from "./memory-storage.js"
import type { Range } from "./span.js"
import type { Entry, Operation } from "./storage.js"

describe("MemoryStorage", () => {
  it("declares atomic batches and snapshots, neither durability nor several processes", () => {
    expect(new MemoryStorage().capabilities).toEqual({
      durable: false,
      atomicBatch: true,
      multiProcess: false,
      snapshots: true,
      checksums: false,
    })
  })

  it("shares nothing with another one", async () => {
    await new MemoryStorage().write(["a"], 1)
    expect(await new MemoryStorage().list([])).toEqual([])
  })

  it("keeps the indexes that it is given", async () => {
    const index: IndexDefinition = { name: "todos", prefix: ["todo"], keyLength: 2, terms: [{ key: 1 }] }
    const storage = new MemoryStorage({ indexes: [index] })
    await storage.write(["todo", "ses_1"], [])
    expect(await collect(storage.find("todos"))).toEqual([{ key: ["todo", "ses_1"], value: [] }])
    await expect(collect(storage.find("sessions-by-updated"))).rejects.toMatchObject({ code: "UNSUPPORTED" })
  })

  it.each([{ index: [] }, { indexes: {} }, null])("refuses the options %j", (options) => {
    expect(() => new MemoryStorage(options as object)).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    )
  })

  it("a scan shows the store as it was when the iteration began", async () => {
    const storage = new MemoryStorage()
    for (const name of ["a", "b", "c"]) await storage.write([name], "before")
    const scan = storage.scan([], { snapshot: true })
    await storage.write(["d"], "before")
    const seen = [(await scan.next()).value]
    await storage.write(["b"], "after")
    await storage.remove(["c"])
    await storage.write(["e"], "after")
    seen.push(...(await collect(scan)))
    expect(seen).toEqual(["a", "b", "c", "d"].map((name) => ({ key: [name], value: "before" })))
  })

  it("nobody sees a part of a batch", async () => {
    const storage = new MemoryStorage()
    const keys = Array.from({ length: 50 }, (_, index) => [`k${index}`])
    const batches = [1, 2, 3].map((value) =>
      storage.batch(
        keys.map((key) => ({ type: "write", key, value })),
        { atomic: true },
      ),
    )
    const scans = Array.from({ length: 20 }, () => collect(storage.scan<number>([])))
    await Promise.all(batches)
    for (const entries of await Promise.all(scans)) {
      expect([0, 50]).toContain(entries.length)
      expect(new Set(entries.map(({ value }) => value)).size).toBeLessThanOrEqual(1)
    }
    expect(new Set((await collect(storage.scan([]))).map(({ value }) => value))).toEqual(new Set([3]))
  })

  it("takes a batch of 100,000 records", async () => {
    const storage = new MemoryStorage()
    const operations = Array.from({ length: 100_000 }, (_, index): Operation => {
      return { type: "write", key: ["part", String(index).padStart(6, "0")], value: index }
    })
    await storage.batch(operations)
    expect(await storage.list(["part"], { reverse: true, limit: 1 })).toEqual([["part", "099999"]])
  })

  it("behaves as a sorted map does", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 60 }), async (actions) => {
        const storage = new MemoryStorage()
        const model = new Model()
        for (const { act, ...details } of actions) {
          if (act === "read")
            expect(await outcome(storage.read(details.key))).toEqual(model.read(details.key))
          if (act === "update") {
            const updating = storage.update<unknown[]>(details.key, (draft) => void draft.push(details.value))
            expect(await outcome(updating)).toEqual(model.push(details.key, details.value))
          }
          if (act === "write") await storage.write(details.key, [details.value])
          if (act === "remove") await storage.remove(details.key)
          if (act === "batch") await storage.batch(details.operations)
          if (act === "write") model.set(details.key, [details.value])
          if (act === "remove") model.delete(details.key)
          if (act === "batch") model.apply(details.operations)
          const expected = model.below(details.prefixes, details.range)
          expect(await collect(storage.scanMany(details.prefixes, details.range))).toEqual(expected)
          const [prefix = []] = details.prefixes
          expect(await storage.list(prefix, details.range)).toEqual(
            model.below([prefix], details.range).map(({ key }) => key),
          )
        }
        expect(await collect(storage.scan([]))).toEqual(model.below([[]], {}))
      }),
      { numRuns: 300 },
    )
  })
})

const segment = fc.oneof(
  fc.constantFrom("a", "ab", "a\u0001", "é", "\uffff", "\u{10000}"),
  fc.string({ unit: "binary", minLength: 1, maxLength: 2 }).map((text) => text.replaceAll("\0", "a")),
)
const key = fc.array(segment, { minLength: 1, maxLength: 3 })
const value = fc.jsonValue({ maxDepth: 1 }).map((json) => JSON.parse(JSON.stringify(json)))
const operation = fc.oneof(
  fc.record({ type: fc.constant("write" as const), key, value: value.map((json) => [json]) }),
  fc.record({ type: fc.constant("remove" as const), key }),
)
const range = fc.record({ gte: key, lt: key, limit: fc.nat(8), reverse: fc.boolean() }, { requiredKeys: [] })
const action = fc.record({
  act: fc.constantFrom("read", "write", "write", "update", "remove", "batch"),
  key,
  value,
  operations: fc.array(operation, { maxLength: 6 }),
  prefixes: fc.array(fc.array(segment, { maxLength: 2 }), { maxLength: 3 }),
  range,
})

/** What a store must do, in the plainest way. */
class Model {
  readonly #values = new Map<string, unknown[]>()

  read(name: Key): unknown {
    return this.#values.get(JSON.stringify(name)) ?? "NOT_FOUND"
  }

  push(name: Key, item: unknown): unknown {
    const before = this.#values.get(JSON.stringify(name))
    if (before === undefined) return "NOT_FOUND"
    this.set(name, [...before, item])
    return this.read(name)
  }

  set(name: Key, items: unknown[]): void {
    this.#values.set(JSON.stringify(name), items)
  }

  delete(name: Key): void {
    this.#values.delete(JSON.stringify(name))
  }

  apply(operations: readonly Operation[]): void {
    for (const step of operations) {
      if (step.type === "write") this.set(step.key, step.value as unknown[])
      else this.delete(step.key)
    }
  }

  below(prefixes: readonly Key[], { gte, lt, limit, reverse }: Range): Entry<unknown>[] {
    const found = [...this.#values]
      .map(([name, items]) => ({ key: JSON.parse(name) as Key, value: items }))
      .filter((entry) => prefixes.some((prefix) => startsWith(entry.key, prefix)))
      .filter((entry) => gte === undefined || byBytes(entry.key, gte) >= 0)
      .filter((entry) => lt === undefined || byBytes(entry.key, lt) < 0)
      .sort((a, b) => byBytes(a.key, b.key))
    return (reverse ? found.reverse() : found).slice(0, limit)
  }
}

function startsWith(name: Key, prefix: Key): boolean {
  return (
    name.length > prefix.length && JSON.stringify(name.slice(0, prefix.length)) === JSON.stringify(prefix)
  )
}

function byBytes(a: Key, b: Key): number {
  const differing = a.findIndex((part, position) => part !== b[position])
  if (differing < 0 || differing >= b.length) return a.length - b.length
  return Buffer.compare(Buffer.from(a[differing] as string), Buffer.from(b[differing] as string))
}

function outcome(answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: { code: string }) => error.code)
}

async function collect<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = []
  for await (const entry of entries) collected.push(entry)
  return collected
}
