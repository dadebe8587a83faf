import {
  compareKeys,
  encodeKey,
  type Key,
  type ScanOptions,
  type Storage,
  StorageError,
} from "@sessile/core/storage"
import { gather } from "../assertions.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

/** Faults in what scans give, and in how they get on with what happens beside them. */
export const brokenScan: readonly BrokenAdapter[] = [
  fault("a scan gives keys without their prefix", ["scan/values-with-keys"], (sound) => ({
    async *scan<T>(prefix: Key, options?: ScanOptions) {
      for await (const { key, value } of sound.scan<T>(prefix, options)) {
        yield { key: key.slice(prefix.length), value }
      }
    },
  })),
  fault("scans pass reverse over", ["scan/same-as-list"], (sound) =>
    scans((prefixes, options) => sound.scanMany(prefixes, { ...options, reverse: false })),
  ),
  fault(
    "prefixes are scanned one after another",
    ["scan/many-prefixes", "scan/overlapping-prefixes", "scan/limit-over-prefixes"],
    (sound) => ({
      async *scanMany<T>(prefixes: readonly Key[], options?: ScanOptions) {
        for (const prefix of prefixes) yield* sound.scan<T>(prefix, options)
      },
    }),
  ),
  fault("a record comes once for each prefix that selects it", ["scan/overlapping-prefixes"], (sound) => ({
    async *scanMany<T>(prefixes: readonly Key[], options: ScanOptions = {}) {
      const found = await Promise.all(prefixes.map((prefix) => gather(sound.scan<T>(prefix, options))))
      const direction = options.reverse ? -1 : 1
      yield* found
        .flat()
        .sort((a, b) => direction * compareKeys(a.key, b.key))
        .slice(0, options.limit)
    },
  })),
  fault("no prefixes mean every record", ["scan/no-prefixes"], (sound) => ({
    scanMany: (prefixes, options) => sound.scanMany(prefixes.length === 0 ? [[]] : prefixes, options),
  })),
  fault("scanned values are those of a cache", ["scan/fresh-values"], (sound) => {
    const cache = new Map<string, unknown>()
    return scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      for await (const { key, value } of sound.scanMany<T>(prefixes, options)) {
        if (!cache.has(encodeKey(key))) cache.set(encodeKey(key), value)
        yield { key, value: cache.get(encodeKey(key)) as T }
      }
    })
  }),
  fault("scan options that make no sense are passed over", ["scan/invalid-options"], (sound) =>
    scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      try {
        yield* sound.scanMany<T>(prefixes, options)
      } catch {
        yield* sound.scanMany<T>(prefixes)
      }
    }),
  ),
  fault("snapshots are given but not declared", ["scan/snapshot-refused"], (sound) => ({
    capabilities: { ...sound.capabilities, snapshots: false },
  })),
  fault("only an iteration that reaches its end lets go of the store", ["scan/abandoned"], (sound) => {
    const lock = { holders: 0 }
    return {
      ...refusingWrites(sound, lock),
      ...scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
        lock.holders++
        yield* sound.scanMany<T>(prefixes, options)
        lock.holders--
      }),
    }
  }),
  fault(
    "nothing can be written while an iteration is open",
    ["scan/paused", "scan/while-writing"],
    (sound) => {
      const lock = { holders: 0 }
      return {
        ...refusingWrites(sound, lock),
        ...scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
          lock.holders++
          try {
            yield* sound.scanMany<T>(prefixes, options)
          } finally {
            lock.holders--
          }
        }),
      }
    },
  ),
  fault("all iterations share one cursor", ["scan/two-at-once"], (sound) => {
    let latest: symbol | undefined
    return scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const own = Symbol("iteration")
      latest = own
      for await (const entry of sound.scanMany<T>(prefixes, options)) {
        if (latest !== own) return
        yield entry
      }
    })
  }),
  fault(
    "an iteration remembers its position by number",
    ["scan/while-writing", "scan/while-removing"],
    (sound) => ({
      async *scan<T>(prefix: Key, { snapshot: _, onCorrupt: __, ...range }: ScanOptions = {}) {
        for (let position = 0; ; position++) {
          const key = (await sound.list(prefix, range))[position]
          if (key === undefined) return
          yield { key, value: await sound.read<T>(key) }
        }
      },
    }),
  ),
  fault("a record that went away ends the iteration", ["scan/while-removing"], (sound) => ({
    async *scan<T>(prefix: Key, { snapshot: _, onCorrupt: __, ...range }: ScanOptions = {}) {
      for (const key of await sound.list(prefix, range)) yield { key, value: await sound.read<T>(key) }
    },
  })),
  fault("a snapshot is one of the keys alone", ["scan/snapshot-holds"], (sound) =>
    scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const keys = (await gather(sound.scanMany(prefixes, options))).map(({ key }) => key)
      for (const key of keys) {
        for await (const entry of sound.scanMany<T>(prefixes, { gte: key, lte: key })) yield entry
      }
    }),
  ),
]

/** Both ways to scan, made of one. */
function scans(scanMany: Storage["scanMany"]): Partial<Storage> {
  return { scanMany, scan: (prefix, options) => scanMany([prefix], options) }
}

function refusingWrites(sound: Storage, lock: { readonly holders: number }): Partial<Storage> {
  return {
    write: async (key, value) => {
      if (lock.holders > 0) throw new StorageError("LOCKED", "An iteration holds the store", { key })
      await sound.write(key, value)
    },
  }
}
