import { closeSync, openSync } from "node:fs"
import { join } from "node:path"
import {
  type Entry,
  type IndexQuery,
  type Key,
  type ScanOptions,
  type Storage,
  StorageError,
} from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { altered, fault } from "./fault.js"

/** How many cursors, or connections, a store of these has. */
const MOST = 50

/** Faults in what a store holds for its iterations. */
export const brokenResources: readonly BrokenAdapter[] = [
  fault(
    "a scan gives its cursor back at its end alone",
    ["resources/abandoned-scans", "resources/abandoned-scans-of-many"],
    (sound) => {
      const pool = new Pool()
      return scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
        pool.acquire()
        yield* sound.scanMany<T>(prefixes, options)
        pool.release()
      })
    },
  ),
  fault("a find gives its cursor back at its end alone", ["resources/abandoned-finds"], (sound) => {
    const pool = new Pool()
    return {
      async *find<T>(index: string, query?: IndexQuery) {
        pool.acquire()
        yield* sound.find<T>(index, query)
        pool.release()
      },
    }
  }),
  fault("an update whose editor throws keeps its connection", ["resources/failed-updates"], (sound) => {
    const pool = new Pool()
    return {
      update: async <T>(key: Key, edit: (draft: T) => void) => {
        pool.acquire()
        const value = await sound.update(key, edit)
        pool.release()
        return value
      },
      write: async (key, value) => {
        pool.acquire()
        await sound.write(key, value).finally(() => pool.release())
      },
    }
  }),
  {
    name: "a scan closes its file at its end alone",
    caughtBy: ["resources/abandoned-scans", "resources/closed-iterations"],
    over: "files",
    wrap: (sound, { place }) =>
      altered(
        sound,
        scans(async function* <T>(prefixes: readonly Key[], options?: ScanOptions) {
          const file = openSync(join(place.folder, ".cursor"), "a")
          yield* sound.scanMany<T>(prefixes, options)
          closeSync(file)
        }),
      ),
  },
]

class Pool {
  #used = 0

  acquire(): void {
    if (++this.#used > MOST) throw new StorageError("LOCKED", "All connections are in use")
  }

  release(): void {
    this.#used--
  }
}

/** Both ways to scan, made of one. */
function scans(
  scanMany: <T>(prefixes: readonly Key[], options?: ScanOptions) => AsyncIterable<Entry<T>>,
): Partial<Storage> {
  return { scanMany, scan: (prefix, options) => scanMany([prefix], options) }
}
