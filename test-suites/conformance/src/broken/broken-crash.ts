import { closeSync, existsSync, mkdirSync, openSync, rmdirSync, writeSync } from "node:fs"
import { join } from "node:path"
import { setTimeout as delay } from "node:timers/promises"
import { type Key, type Operation, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

// Long enough for the kill to fall into it.
const PAUSE = 30

/** Faults that only a kill shows. */
export const brokenCrash: readonly BrokenAdapter[] = [
  {
    name: "a record is written in place, piece by piece",
    caughtBy: ["crash/no-torn-records"],
    over: "files",
    wrap: (sound, { place }) =>
      new (class extends WrappedStorage {
        override async write(key: Key, value: unknown) {
          const text = JSON.stringify(value)
          mkdirSync(join(place.folder, ...key.slice(0, -1)), { recursive: true })
          const file = openSync(`${join(place.folder, ...key)}.json`, "w")
          writeSync(file, text.slice(0, text.length / 2))
          await delay(PAUSE)
          writeSync(file, text.slice(text.length / 2))
          closeSync(file)
        }
      })(sound),
  },
  {
    name: "an update is stored when the store is closed",
    caughtBy: ["crash/updates-are-whole"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        readonly #drafts = new Map<string, { readonly key: Key; readonly draft: unknown }>()
        override async update<T>(key: Key, edit: (draft: T) => void) {
          const name = key.join("/")
          const draft = (this.#drafts.get(name)?.draft ?? (await super.read(key))) as T
          edit(draft)
          this.#drafts.set(name, { key, draft })
          return draft
        }
        override async close() {
          for (const { key, draft } of this.#drafts.values()) await super.write(key, draft)
          await super.close()
        }
      })(sound),
  },
  {
    name: "a batch is declared atomic and carried out one by one",
    caughtBy: ["crash/batches-are-whole"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override get capabilities() {
          return { ...super.capabilities, atomicBatch: true }
        }
        override async batch(operations: readonly Operation[]) {
          await super.batch(operations.slice(0, 5))
          await delay(PAUSE)
          await super.batch(operations.slice(5))
        }
      })(sound),
  },
  {
    name: "the lock of a killed process is never recovered",
    caughtBy: ["crash/store-goes-on"],
    over: "files",
    wrap: (sound, { place }) =>
      new (class extends WrappedStorage {
        override async write(key: Key, value: unknown) {
          const lock = join(place.folder, `.${key.join("-")}`)
          if (existsSync(lock)) throw new StorageError("LOCKED", "Another process holds the record", { key })
          mkdirSync(lock)
          await delay(PAUSE)
          await super.write(key, value)
          rmdirSync(lock)
        }
      })(sound),
  },
]
