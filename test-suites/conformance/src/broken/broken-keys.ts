import { posix } from "node:path"
import { encodeKey, type Key, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

const refusals = [
  "keys/empty-key-refused",
  "keys/empty-segment-refused",
  "keys/nul-refused",
  "keys/lone-surrogate-refused",
  "keys/non-string-refused",
  "keys/non-array-refused",
]

/** Faults in telling keys apart. */
export const brokenKeys: readonly BrokenAdapter[] = [
  fault("the empty key names a record of its own", ["keys/empty-key-refused"], (sound) => ({
    write: (key, value) => sound.write(key.length > 0 ? key : ["/"], value),
  })),
  fault("removing under an invalid key is passed over", refusals, (sound) => ({
    remove: async (key) => void (await sound.remove(key).catch(passOver)),
  })),
  fault("nothing is listed below an invalid prefix", refusals.slice(1), (sound) => ({
    list: (prefix) => sound.list(prefix).catch(passOver) as Promise<Key[]>,
  })),
  keyFault("empty segments are dropped", ["keys/empty-segment-refused"], (key) => key.filter(Boolean)),
  keyFault("everything behind a NUL is cut off", ["keys/nul-refused"], (key) =>
    key.map((segment) => segment.replace(/\0.*/s, "") || "-"),
  ),
  keyFault("lone surrogates in keys become replacement characters", ["keys/lone-surrogate-refused"], (key) =>
    key.map((segment) => segment.toWellFormed()),
  ),
  keyFault("segments are turned into strings", ["keys/non-string-refused"], (key) => Array.from(key, String)),
  keyFault("a lone string counts as a key", ["keys/non-array-refused"], (key) => [key].flat()),
  keyFault(
    "keys are joined by slashes",
    ["keys/distinct-look-alikes", "keys/key-beside-descendants"],
    (key) => (key.length === 0 ? key : [key.join("/")]),
  ),
  keyFault("segments are taken for paths", ["keys/distinct-look-alikes"], (key) => key.map(posix.normalize)),
  keyFault("segments are unescaped", ["keys/distinct-look-alikes"], (key) => key.map(unescapeSegment)),
  keyFault("segments are trimmed", ["keys/distinct-look-alikes", "keys/unicode"], (key) =>
    key.map((segment) => segment.trim() || "-"),
  ),
  keyFault("segments that look like numbers become numbers", ["keys/distinct-look-alikes"], (key) =>
    key.map((segment) => (/^[+-]?\d+(\.\d+)?(e\d+)?$/.test(segment) ? String(Number(segment)) : segment)),
  ),
  keyFault("segments are normalised", ["keys/distinct-look-alikes", "keys/unicode"], (key) =>
    key.map((segment) => segment.normalize()),
  ),
  keyFault(
    "segments are stored in one byte a character",
    ["keys/unicode", "keys/longest-guaranteed"],
    (key) => key.map((segment) => Buffer.from(segment, "latin1").toString("latin1").replaceAll("\0", "-")),
  ),
  keyFault("letter case is ignored", ["keys/letter-case"], (key) =>
    key.map((segment) => segment.toLowerCase()),
  ),
  keyFault("long segments are cut", ["keys/oversized-refused-or-kept"], (key) =>
    key.map((segment) => segment.slice(0, 255)),
  ),
  keyFault("deep keys are cut", ["keys/oversized-refused-or-kept"], (key) => key.slice(0, 8)),
  fault(
    "keys of the same spelling but for case overwrite one another before the second is refused",
    ["keys/letter-case"],
    (sound) => ({
      write: async (key, value) => {
        const twin = (await sound.list([])).find((other) => isCaseTwin(key, other))
        await sound.write(twin ?? key, value)
        if (twin !== undefined) throw new StorageError("INVALID_KEY", "The letter case differs", { key })
      },
    }),
  ),
  fault("a key of more than 255 characters is refused", ["keys/longest-guaranteed"], (sound) => ({
    write: async (key, value) => {
      if (encodeKey(key).length > 255) throw new StorageError("INVALID_KEY", "The key is too long", { key })
      await sound.write(key, value)
    },
  })),
  fault(
    "a key that is too long is refused with the error of the engine",
    ["keys/oversized-refused-or-kept"],
    (sound) => ({
      write: async (key, value) => {
        if (key.some((segment) => segment.length > 255)) throw new Error("ENAMETOOLONG: name too long")
        await sound.write(key, value)
      },
    }),
  ),
  fault(
    "a record stands in the way of the folder with its name",
    ["keys/key-beside-descendants"],
    (sound) => ({
      write: async (key, value) => {
        const keys = (await sound.list([])).map(encodeKey)
        if (key.some((_, length) => keys.includes(encodeKey(key.slice(0, length))))) {
          throw new StorageError("IO", "ENOTDIR: not a directory", { key })
        }
        await sound.write(key, value)
      },
    }),
  ),
  fault("writing a record removes what lies below it", ["keys/key-beside-descendants"], (sound) => ({
    write: async (key, value) => {
      for (const below of await sound.list(key)) await sound.remove(below)
      await sound.write(key, value)
    },
  })),
  fault("listed keys are those that were passed in", ["keys/not-retained"], (sound) => {
    const retained = new Map<string, Key>()
    return {
      write: (key, value) => {
        retained.set(encodeKey(key), key)
        return sound.write(key, value)
      },
      list: async (prefix, range) =>
        (await sound.list(prefix, range)).map((key) => retained.get(encodeKey(key)) ?? key),
    }
  }),
  fault("scanned keys are shared between scans", ["keys/not-retained"], (sound) => {
    const shared = new Map<string, Key>()
    return {
      scan: async function* (prefix, options) {
        for await (const entry of sound.scan(prefix, options)) {
          const encoded = encodeKey(entry.key)
          const key = shared.get(encoded) ?? entry.key
          shared.set(encoded, key)
          yield { key, value: entry.value as never }
        }
      },
    }
  }),
]

/** A fault by which the store gets other keys and prefixes than it was called with. */
function keyFault(name: string, caughtBy: readonly string[], change: (key: Key) => Key): BrokenAdapter {
  return fault(name, caughtBy, (sound) => ({
    read: (key) => sound.read(change(key)),
    write: (key, value) => sound.write(change(key), value),
    update: (key, edit) => sound.update(change(key), edit),
    remove: (key) => sound.remove(change(key)),
    list: (prefix, range) => sound.list(change(prefix), range),
    scan: (prefix, options) => sound.scan(change(prefix), options),
    scanMany: (prefixes, options) => sound.scanMany(prefixes.map(change), options),
    batch: (operations, options) =>
      sound.batch(
        operations.map((operation) => ({ ...operation, key: change(operation.key) })),
        options,
      ),
  }))
}

function passOver(error: unknown): never[] {
  if (StorageError.is(error, "INVALID_KEY")) return []
  throw error
}

function unescapeSegment(segment: string): string {
  return segment.replace(/%[0-9A-F]{2}/g, (escaped) =>
    escaped === "%00" ? escaped : decodeURIComponent(escaped),
  )
}

function isCaseTwin(key: Key, other: Key): boolean {
  const [spelling, otherSpelling] = [encodeKey(key), encodeKey(other)]
  return spelling !== otherSpelling && spelling.toLowerCase() === otherSpelling.toLowerCase()
}
