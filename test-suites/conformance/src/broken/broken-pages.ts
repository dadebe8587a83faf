import { type Entry, type Key, type ScanOptions, type Storage, standardIndexes } from "@sessile/core/storage"
import { gather } from "../assertions.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { naiveIndex } from "./naive-index.js"

const PAGE = 500

/** Faults that only more than one page of records shows. */
export const brokenPages: readonly BrokenAdapter[] = [
  fault("no scan gives more than 1,000 records", ["pages/scan", "pages/scan-many"], (sound) =>
    scans((prefixes, options) => sound.scanMany(prefixes, { limit: 1_000, ...options })),
  ),
  fault("pages are found by counting records", ["pages/while-changing"], (sound) =>
    scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      for (let start = 0; ; start += PAGE) {
        const page = (await gather(sound.scanMany<T>(prefixes, options))).slice(start, start + PAGE)
        yield* page
        if (page.length < PAGE) return
      }
    }),
  ),
  fault("in reverse each page comes in ascending order", ["pages/scan", "pages/limits"], (sound) =>
    scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const entries = await gather(sound.scanMany<T>(prefixes, options))
      if (!options?.reverse || entries.length <= PAGE) return yield* entries
      for (let start = 0; start < entries.length; start += PAGE) {
        yield* entries.slice(start, start + PAGE).reverse()
      }
    }),
  ),
  fault(
    "an index holds the first 1,000 records of its prefix",
    ["pages/find", "pages/find-follows-changes"],
    (sound) => {
      const limited = Object.create(sound, { scan: { value: firstThousand(sound) } }) as Storage
      return naiveIndex(limited, {})
    },
  ),
  fault("a snapshot copies 1,000 records and reads the others later", ["pages/snapshot-holds"], (sound) =>
    scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const copied = await gather(sound.scanMany<T>(prefixes, { ...options, limit: 1_000 }))
      yield* copied
      const last = copied.at(-1)
      if (copied.length < 1_000 || last === undefined) return
      yield* sound.scanMany<T>(prefixes, { ...options, [options?.reverse ? "lt" : "gt"]: last.key })
    }),
  ),
]

const isIndexPrefix = (prefix: Key) => standardIndexes.some((index) => index.prefix[0] === prefix[0])

function firstThousand(sound: Storage): Storage["scan"] {
  return <T>(prefix: Key, options?: ScanOptions): AsyncIterable<Entry<T>> =>
    sound.scan<T>(prefix, isIndexPrefix(prefix) ? { limit: 1_000, ...options } : options)
}

/** Both ways to scan, made of one. */
function scans(scanMany: Storage["scanMany"]): Partial<Storage> {
  return { scanMany, scan: (prefix, options) => scanMany([prefix], options) }
}
