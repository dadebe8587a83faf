import { encodeKey, type Key, type ScanOptions, type Storage, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { altered, fault } from "./fault.js"

/** Faults that only an engine that fails shows. */
export const brokenFailures: readonly BrokenAdapter[] = [
  fault(
    "a removal that failed comes as the engine throws it",
    ["failures/every-method"],
    (sound) => ({
      remove: (key) => sound.remove(key).catch(rethrowCause),
    }),
    "network",
  ),
  fault(
    "a failure of the engine counts as damage",
    ["failures/every-method"],
    (sound) => ({
      read: (key) =>
        sound.read<never>(key).catch((error) => {
          if (!StorageError.is(error, "IO")) throw error
          throw new StorageError("CORRUPT", "The record cannot be understood", { key, cause: error })
        }),
    }),
    "network",
  ),
  fault(
    "an update that failed holds its record",
    ["failures/aftermath"],
    (sound) => {
      const held = new Set<string>()
      return {
        update: async (key, edit) => {
          if (held.has(encodeKey(key)))
            throw new StorageError("LOCKED", "Somebody else holds the record", { key })
          held.add(encodeKey(key))
          const value = await sound.update(key, edit)
          held.delete(encodeKey(key))
          return value
        },
      }
    },
    "network",
  ),
  fault(
    "an iteration that failed takes its connection along",
    ["failures/aftermath"],
    (sound) => {
      let free = 10
      const scan = async function* <T>(prefix: Key, options?: ScanOptions) {
        if (free === 0) throw new StorageError("LOCKED", "All connections are in use")
        free--
        yield* sound.scan<T>(prefix, options)
        free++
      }
      return { scan }
    },
    "network",
  ),
  {
    name: "a store whose folder is gone is empty",
    caughtBy: ["failures/folder-gone"],
    over: "files",
    wrap: (sound) => altered(sound, { list: (prefix, range) => sound.list(prefix, range).catch(() => []) }),
  },
  {
    name: "a store whose folder is gone rejects with the bare error of the operating system",
    caughtBy: ["failures/folder-gone"],
    over: "files",
    wrap: (sound: Storage) =>
      altered(sound, { write: (key, value) => sound.write(key, value).catch(rethrowCause) }),
  },
  {
    name: "damaged records are passed over",
    caughtBy: ["failures/damaged-record"],
    over: "files",
    wrap: (sound) =>
      altered(sound, {
        scan: (prefix, options) => sound.scan(prefix, { onCorrupt: () => undefined, ...options }),
      }),
  },
  {
    name: "a damaged record counts as absent",
    caughtBy: ["failures/damaged-record"],
    over: "files",
    wrap: (sound) =>
      altered(sound, {
        read: (key) =>
          sound.read<never>(key).catch((error) => {
            if (!StorageError.is(error, "CORRUPT")) throw error
            throw new StorageError("NOT_FOUND", "There is no record under this key", { key })
          }),
      }),
  },
]

function rethrowCause(error: unknown): never {
  throw StorageError.is(error) ? (error.cause ?? error) : error
}
