import { setImmediate as nextTurn } from "node:timers/promises"
import { type IndexQuery, MemoryStorage, type Storage, StorageError } from "@sessile/core/storage"
import { gather } from "../assertions.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { altered, fault } from "./fault.js"

const methods = ["read", "write", "update", "remove", "list", "scan", "scanMany", "find", "batch"] as const

/** Faults in opening and closing. */
export const brokenLifeCycle: readonly BrokenAdapter[] = [
  fault("opening leaves a record of its own version", ["life-cycle/starts-empty"], (sound) => ({
    list: async (prefix, range) => [["version"], ...(await sound.list(prefix, range))],
  })),
  fault("closing twice is an error", ["life-cycle/close-twice"], (sound) => {
    let closed = false
    return {
      close: async () => {
        if (closed) throw new Error("closed already")
        closed = true
        await sound.close()
      },
    }
  }),
  fault("disposing flushes, but does not close", ["life-cycle/dispose-closes"], () => ({
    [Symbol.asyncDispose]: async () => undefined,
  })),
  fault(
    "close does not wait for what is under way",
    ["life-cycle/close-waits-for-writes", "life-cycle/close-waits-for-reads"],
    (sound) => ({
      read: async (key) => {
        await severalTurns()
        return sound.read(key)
      },
      write: async (key, value) => {
        await severalTurns()
        await sound.write(key, value)
      },
      close: async () => {
        severalTurns().then(() => sound.close())
      },
    }),
  ),
  fault(
    "close ends what is waiting for its turn",
    ["life-cycle/close-waits-for-writes", "life-cycle/close-waits-for-reads"],
    (sound) => ({
      read: async (key) => {
        await nextTurn()
        return sound.read(key)
      },
      write: async (key, value) => {
        await nextTurn()
        await sound.write(key, value)
      },
    }),
  ),
  {
    name: "a write resolves when it is buffered, and close drops the buffer",
    caughtBy: ["life-cycle/close-waits-for-writes"],
    over: "files",
    wrap: (sound) => {
      let closed = false
      return altered(sound, {
        write: async (key, value) => {
          nextTurn().then(() => (closed ? undefined : sound.write(key, value)))
        },
        close: () => {
          closed = true
          return sound.close()
        },
      })
    },
  },
  ...methods.map((method) =>
    fault(`${method} does not look whether the store is closed`, [closedContract(method)], () =>
      neverClosed([method]),
    ),
  ),
  {
    name: "the store counts as closed only when closing is done",
    caughtBy: methods.map(closedContract),
    over: "memory",
    wrap: (sound) => {
      const faulty = altered(sound, neverClosed(methods))
      return Object.assign(faulty, {
        close: async () => {
          await sound.close()
          await severalTurns()
          for (const method of methods) Reflect.deleteProperty(faulty, method)
        },
      })
    },
  },
  fault(
    "an iteration ends as if complete when the store is closed",
    ["life-cycle/closed-iteration"],
    (sound) => ({
      scan: (prefix, options) => endingQuietly(sound.scan(prefix, options)),
      scanMany: (prefixes, options) => endingQuietly(sound.scanMany(prefixes, options)),
    }),
  ),
  fault(
    "an index is read at once, and its iteration outlives the store",
    ["life-cycle/closed-iteration"],
    (sound) => ({
      find: async function* <T>(index: string, query?: IndexQuery) {
        yield* await gather(sound.find<T>(index, query))
      },
    }),
  ),
  fault("keys are checked before there is a promise", ["life-cycle/failures-are-rejections"], (sound) => ({
    remove: (key) => {
      if (key.length === 0) throw new StorageError("INVALID_KEY", "A key needs at least one segment")
      return sound.remove(key)
    },
  })),
  {
    name: "records are kept in memory alone",
    caughtBy: ["life-cycle/reopen-keeps-records", "life-cycle/reopen-many-times"],
    over: "files",
    wrap: (sound) => altered(sound, neverClosed(methods)),
  },
  {
    name: "removals are not written down",
    caughtBy: ["life-cycle/reopen-keeps-records", "life-cycle/close-waits-for-writes"],
    over: "files",
    wrap: (sound) => altered(sound, { remove: async () => undefined }),
  },
  {
    name: "records come back in the order of the folder",
    caughtBy: ["life-cycle/reopen-keeps-records"],
    over: "files",
    wrap: (sound, { reopened }) =>
      reopened ? altered(sound, { scan: (prefix) => sound.scan(prefix, { reverse: true }) }) : sound,
  },
  {
    name: "a store that was there already takes no more records",
    caughtBy: ["life-cycle/reopen-many-times"],
    over: "files",
    wrap: (sound, { reopened }) => (reopened ? altered(sound, { write: async () => undefined }) : sound),
  },
]

function closedContract(method: (typeof methods)[number]): string {
  return `life-cycle/closed-${method === "scanMany" ? "scan-many" : method}`
}

/** Methods of a store that nobody closes. */
function neverClosed(names: readonly (typeof methods)[number][]): Partial<Storage> {
  const other = new MemoryStorage()
  return Object.fromEntries(names.map((name) => [name, other[name].bind(other)]))
}

async function* endingQuietly<T>(entries: AsyncIterable<T>): AsyncGenerator<T, void, void> {
  try {
    yield* entries
  } catch (error) {
    if (!StorageError.is(error, "CLOSED")) throw error
  }
}

async function severalTurns(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await nextTurn()
}
