import { encodeKey, type Key, type Range, type Storage, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

// What the stores of a process share, by the fault of adapters that keep it in a module instead of an object.
const cache = new Map<string, unknown>()
const removed = new Set<string>()
const connections = new Set<Storage>()
const opened: Storage[] = []

/** Faults by which one store reaches another. */
export const brokenIsolation: readonly BrokenAdapter[] = [
  fault("all stores share one cache", ["isolation/records"], (sound) => ({
    read: async <T>(key: Key) => (cache.get(encodeKey(key)) as T | undefined) ?? sound.read<T>(key),
    write: async (key, value) => {
      await sound.write(key, value)
      cache.set(encodeKey(key), value)
    },
  })),
  fault("all stores share their marks of removal", ["isolation/removal"], (sound) => ({
    read: async (key) => {
      if (removed.has(encodeKey(key))) throw new StorageError("NOT_FOUND", "The record was removed", { key })
      return sound.read(key)
    },
    write: async (key, value) => {
      await sound.write(key, value)
      removed.delete(encodeKey(key))
    },
    remove: async (key) => {
      await sound.remove(key)
      removed.add(encodeKey(key))
    },
  })),
  fault("closing one store closes them all", ["isolation/closing"], (sound) => {
    connections.add(sound)
    return {
      close: async () => {
        for (const connection of connections) await connection.close()
        connections.clear()
      },
    }
  }),
  fault("a listing shows the store that was opened first", ["isolation/iterations"], (sound) => {
    opened.push(sound)
    return {
      list: async (prefix: Key, range?: Range) => (opened[0] ?? sound).list(prefix, range),
      close: async () => {
        opened.splice(opened.indexOf(sound), 1)
        await sound.close()
      },
    }
  }),
]
