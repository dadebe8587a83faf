import { setImmediate as nextTurn } from "node:timers/promises"
import { encodeKey, type Key, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { recordExists } from "./record-exists.js"

/** Faults in reading and writing. */
export const brokenReadWrite: readonly BrokenAdapter[] = [
  fault("an absent record reads as undefined", ["read-write/not-found"], (sound) => ({
    read: (key) => sound.read(key).catch(() => undefined) as never,
  })),
  fault("an absent record gives the error of the engine", ["read-write/not-found"], (sound) => ({
    read: async (key) => {
      if (await recordExists(sound, key)) return sound.read(key)
      throw Object.assign(new Error("ENOENT: no such file or directory"), { code: "NOT_FOUND" })
    },
  })),
  fault("a record is found by the start of its key", ["read-write/not-found"], (sound) => ({
    read: async (key) => sound.read((await sound.list(key))[0] ?? key),
  })),
  fault("a value that counts as false is taken for an absent one", ["read-write/falsy-values"], (sound) => ({
    read: async (key) => {
      const value = await sound.read(key)
      if (!value) throw new StorageError("NOT_FOUND", "There is no record under this key", { key })
      return value as never
    },
  })),
  fault("the first value stays", ["read-write/overwrite"], (sound) => ({
    write: async (key, value) => {
      if (!(await recordExists(sound, key))) await sound.write(key, value)
    },
  })),
  fault("a new value is merged into the old one", ["read-write/overwrite"], (sound) => ({
    write: async (key, value) => {
      const old = await sound.read(key).catch(() => undefined)
      await sound.write(key, isObject(old) && isObject(value) ? { ...old, ...value } : value)
    },
  })),
  fault("reads are answered from a cache of the written objects", ["read-write/fresh-copies"], (sound) => {
    const cache = new Map<string, unknown>()
    return {
      read: async (key) => (cache.get(encodeKey(key)) ?? (await sound.read(key))) as never,
      write: async (key, value) => {
        await sound.write(key, value)
        cache.set(encodeKey(key), value)
      },
    }
  }),
  fault("an index gives the same objects again", ["read-write/fresh-copies"], (sound) => {
    const cache = new Map<string, unknown>()
    return {
      find: async function* (index, query) {
        for await (const { key, value } of sound.find(index, query)) {
          const encoded = encodeKey(key)
          if (!cache.has(encoded)) cache.set(encoded, value)
          yield { key, value: cache.get(encoded) as never }
        }
      },
    }
  }),
  fault("all writes share one buffer", ["read-write/concurrent-writes"], (sound) => {
    let buffer: { key: Key; value: unknown }
    return {
      write: async (key, value) => {
        buffer = { key, value }
        await nextTurn()
        await sound.write(buffer.key, buffer.value)
      },
    }
  }),
  fault("a value is written piece by piece", ["read-write/no-mixtures"], (sound) => ({
    write: async (key, value) => {
      if (isObject(value)) await sound.write(key, Object.fromEntries(Object.entries(value).slice(0, 2)))
      await nextTurn()
      await sound.write(key, value)
    },
  })),
  fault(
    "a write resolves before it is done",
    ["read-write/overwrite", "read-write/concurrent-writes", "read-write/no-mixtures"],
    (sound) => ({
      write: async (key, value) => {
        nextTurn()
          .then(() => sound.write(key, value))
          .catch(() => undefined)
      },
    }),
  ),
]

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
