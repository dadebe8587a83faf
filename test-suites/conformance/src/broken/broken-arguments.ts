import { setImmediate as nextTurn } from "node:timers/promises"
import { decodeValue, encodeValue, type IndexQuery, type Key, type ScanOptions } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"

/** Faults by which arguments are looked at after the call. */
export const brokenArguments: readonly BrokenAdapter[] = [
  fault("the key to read is taken when its turn has come", ["arguments/read"], (sound) => ({
    read: async (key) => {
      await nextTurn()
      return sound.read(key)
    },
  })),
  fault("the key to write is taken when its turn has come", ["arguments/write"], (sound) => ({
    write: async (key, value) => {
      const taken = encodeValue(value, key)
      await nextTurn()
      await sound.write(key, decodeValue(taken, key))
    },
  })),
  fault("the value to write is taken when its turn has come", ["arguments/write"], (sound) => ({
    write: async (key, value) => {
      const taken = structuredClone(key)
      await nextTurn()
      await sound.write(taken, value)
    },
  })),
  fault("the key to update is taken when its turn has come", ["arguments/update"], (sound) => ({
    update: async (key, edit) => {
      await nextTurn()
      return sound.update(key, edit)
    },
  })),
  fault("an update gives a late copy of the draft", ["arguments/draft"], (sound) => ({
    update: async <T>(key: Key, edit: (draft: T) => void) => {
      let kept: T | undefined
      await sound.update<T>(key, (draft) => {
        kept = draft
        return edit(draft)
      })
      return JSON.parse(JSON.stringify(kept))
    },
  })),
  fault("the key to remove is taken when its turn has come", ["arguments/remove"], (sound) => ({
    remove: async (key) => {
      await nextTurn()
      await sound.remove(key)
    },
  })),
  fault("the operations of a batch are taken when its turn has come", ["arguments/batch"], (sound) => ({
    batch: async (operations, options) => {
      await nextTurn()
      await sound.batch(operations, options)
    },
  })),
  fault("of a batch only the list is copied", ["arguments/batch"], (sound) => ({
    batch: async (operations, options) => {
      const taken = [...operations]
      await nextTurn()
      await sound.batch(taken, options)
    },
  })),
  fault("what to list is taken when its turn has come", ["arguments/list"], (sound) => ({
    list: async (prefix, range) => {
      await nextTurn()
      return sound.list(prefix, range)
    },
  })),
  fault("the prefix of a scan is taken when its turn has come", ["arguments/scan"], (sound) => ({
    async *scan<T>(prefix: Key, options?: ScanOptions) {
      const taken = structuredClone(options)
      await nextTurn()
      yield* sound.scan<T>(prefix, taken)
    },
  })),
  fault("the limit of a scan is looked up at every record", ["arguments/scan"], (sound) => ({
    async *scan<T>(prefix: Key, options: ScanOptions = {}) {
      let count = 0
      for await (const entry of sound.scan<T>(prefix, options)) {
        if (count++ >= (options.limit ?? Number.POSITIVE_INFINITY)) return
        yield entry
      }
    },
  })),
  fault("the prefixes of a scan are taken when its turn has come", ["arguments/scan-many"], (sound) => ({
    async *scanMany<T>(prefixes: readonly Key[], options?: ScanOptions) {
      const taken = structuredClone(options)
      await nextTurn()
      yield* sound.scanMany<T>(prefixes, taken)
    },
  })),
  fault("a query is taken when its turn has come", ["arguments/find"], (sound) => ({
    async *find<T>(index: string, query?: IndexQuery) {
      await nextTurn()
      yield* sound.find<T>(index, query)
    },
  })),
]
