import type { IndexQuery, Key, ScanOptions, Storage } from "@sessile/core/storage"
import { gather } from "../assertions.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { altered, fault } from "./fault.js"
import { naiveIndex } from "./naive-index.js"

const PAGE = 500

/** Faults that only more than one page of records shows. */
export const brokenPages: readonly BrokenAdapter[] = [
  fault("no scan gives more than 1,000 records", ["pages/scan", "pages/scan-many"], (sound) =>
    scansOfMany(sound, (prefixes, options) => sound.scanMany(prefixes, { limit: 1_000, ...options })),
  ),
  fault("pages are found by counting records", ["pages/while-changing"], (sound) =>
    scansOfMany(sound, async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      for (let start = 0; ; start += PAGE) {
        const page = (await gather(sound.scanMany<T>(prefixes, options))).slice(start, start + PAGE)
        yield* page
        if (page.length < PAGE) return
      }
    }),
  ),
  fault("in reverse each page comes in ascending order", ["pages/scan", "pages/limits"], (sound) =>
    scansOfMany(sound, async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const entries = await gather(sound.scanMany<T>(prefixes, options))
      if (!options?.reverse) return yield* entries
      for (let start = 0; start < entries.length; start += PAGE) {
        yield* entries.slice(start, start + PAGE).reverse()
      }
    }),
  ),
  fault(
    "an index holds the first 1,000 records of its prefix",
    ["pages/find", "pages/find-follows-changes"],
    (sound) => {
      const limited = altered(sound, { scan: (prefix) => sound.scan(prefix, { limit: 1_000 }) })
      const { find } = naiveIndex(limited, {})
      return {
        async *find<T>(index: string, query?: IndexQuery) {
          yield* (await holdsMany(sound)) ? find<T>(index, query) : sound.find<T>(index, query)
        },
      }
    },
  ),
  fault("a snapshot copies 1,000 records and reads the others later", ["pages/snapshot-holds"], (sound) =>
    scansOfMany(sound, async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
      const copied = await gather(sound.scanMany<T>(prefixes, { ...options, limit: 1_000 }))
      yield* copied
      const last = copied.at(-1)
      if (copied.length < 1_000 || last === undefined) return
      yield* sound.scanMany<T>(prefixes, { ...options, [options?.reverse ? "lt" : "gt"]: last.key })
    }),
  ),
]

async function holdsMany(storage: Storage): Promise<boolean> {
  return (await storage.list([], { limit: 1_001 })).length > 1_000
}

/** Both ways to scan, which are sound as long as there is no more than a page of records. */
function scansOfMany(sound: Storage, broken: Storage["scanMany"]): Partial<Storage> {
  const scanMany = async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
    yield* (await holdsMany(sound)) ? broken<T>(prefixes, options) : sound.scanMany<T>(prefixes, options)
  }
  return { scanMany, scan: (prefix, options) => scanMany([prefix], options) }
}
