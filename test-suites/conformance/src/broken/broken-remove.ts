import { setImmediate as nextTurn } from "node:timers/promises"
import { type Entry, encodeKey, type Key, MemoryStorage, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { recordExists } from "./record-exists.js"

/** Faults in removing records. */
export const brokenRemove: readonly BrokenAdapter[] = [
  fault("a removed record stays in the cache", ["remove/removes"], (sound) => {
    const cache = new Map<string, unknown>()
    return {
      write: (key, value) => {
        cache.set(encodeKey(key), structuredClone(value))
        return sound.write(key, value)
      },
      read: async (key) => structuredClone(cache.get(encodeKey(key)) ?? (await sound.read(key))) as never,
    }
  }),
  fault("a removal writes null", ["remove/removes", "remove/twice", "remove/not-listed"], (sound) => ({
    remove: (key) => sound.write(key, null),
  })),
  fault("removing what is not there is an error", ["remove/absent", "remove/twice"], (sound) => ({
    remove: async (key) => {
      if (await recordExists(sound, key)) return sound.remove(key)
      throw new StorageError("NOT_FOUND", "There is no record under this key", { key })
    },
  })),
  fault(
    "two removals at once look for the record before either has removed it",
    ["remove/twice"],
    (sound) => ({
      remove: async (key) => {
        const found = await recordExists(sound, key)
        await nextTurn()
        if (found && !(await recordExists(sound, key)))
          throw new StorageError("IO", "ENOENT: no such file", { key })
        await sound.remove(key)
      },
    }),
  ),
  fault(
    "removing a record removes the folder with its name",
    ["remove/descendants-stay", "remove/absent"],
    (sound) => ({
      remove: async (key) => {
        for (const below of await sound.list(key)) await sound.remove(below)
        await sound.remove(key)
      },
    }),
  ),
  fault(
    "records go whose keys start like the removed one",
    ["remove/neighbours-stay", "remove/descendants-stay"],
    (sound) => ({
      remove: async (key) => {
        for (const other of await sound.list([])) {
          if (other.join("/").startsWith(key.join("/"))) await sound.remove(other)
        }
      },
    }),
  ),
  fault("the record above goes with the last one below it", ["remove/neighbours-stay"], (sound) => ({
    remove: async (key) => {
      await sound.remove(key)
      if (key.length > 1) await sound.remove(key.slice(0, -1))
    },
  })),
  fault("a tombstone hides what is written later", ["remove/write-again"], (sound) => {
    const tombstones = new Set<string>()
    return {
      remove: async (key) => {
        tombstones.add(encodeKey(key))
        await sound.remove(key)
      },
      scan: (prefix, options) =>
        without(sound.scan(prefix, options), (key) => tombstones.has(encodeKey(key))) as never,
    }
  }),
  fault("fields of a removed record come back with the next one", ["remove/write-again"], (sound) => {
    const removed = new Map<string, object>()
    return {
      remove: async (key) => {
        const old = await sound.read(key).catch(() => undefined)
        if (typeof old === "object" && old !== null) removed.set(encodeKey(key), old)
        await sound.remove(key)
      },
      write: (key, value) => {
        const old = removed.get(encodeKey(key))
        return sound.write(key, typeof value === "object" ? { ...old, ...value } : value)
      },
    }
  }),
  ...(["list", "scan", "scanMany", "find"] as const).map((method) =>
    fault(`${method} answers from a copy that removals do not reach`, ["remove/not-listed"], (sound) => {
      const copy = new MemoryStorage()
      return {
        write: async (key, value) => {
          await sound.write(key, value)
          await copy.write(key, value)
        },
        [method]: copy[method].bind(copy),
      }
    }),
  ),
  fault("of removals at once only the last takes place", ["remove/concurrent"], (sound) => {
    let latest: Key
    return {
      remove: async (key) => {
        latest = key
        await nextTurn()
        await sound.remove(latest)
      },
    }
  }),
]

async function* without<T>(
  entries: AsyncIterable<Entry<T>>,
  isHidden: (key: Key) => boolean,
): AsyncGenerator<Entry<T>, void, void> {
  for await (const entry of entries) if (!isHidden(entry.key)) yield entry
}
