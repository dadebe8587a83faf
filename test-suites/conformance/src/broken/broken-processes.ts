import { mkdir, rmdir } from "node:fs/promises"
import { join } from "node:path"
import { type Key, type Operation, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

/** Faults that only a second process shows. */
export const brokenProcesses: readonly BrokenAdapter[] = [
  {
    name: "a write is acknowledged before it is stored",
    caughtBy: ["processes/writes-are-seen", "crash/acknowledged-writes-survive"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        readonly #pending: { key: Key; value: unknown }[] = []
        override async write(key: Key, value: unknown) {
          this.#pending.push({ key, value })
        }
        override async close() {
          for (const { key, value } of this.#pending.splice(0)) await super.write(key, value)
          await super.close()
        }
      })(sound),
  },
  {
    name: "an update reads and writes in two steps",
    caughtBy: ["processes/updates-are-not-lost"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override async update<T>(key: Key, edit: (draft: T) => void) {
          const draft = await super.read<T>(key)
          edit(draft)
          await super.write(key, draft)
          return draft
        }
      })(sound),
  },
  {
    name: "a batch that finds one of another process at work is refused",
    caughtBy: ["processes/batches-in-opposite-order"],
    over: "files",
    wrap: (sound, { place }) =>
      new (class extends WrappedStorage {
        override async batch(operations: readonly Operation[]) {
          const lock = join(place.folder, ".batch")
          try {
            await mkdir(lock)
          } catch (error) {
            throw new StorageError("LOCKED", "A batch is at work", { cause: error })
          }
          await super.batch(operations).finally(() => rmdir(lock))
        }
      })(sound),
  },
  {
    name: "a store for one process lets a second one in",
    caughtBy: ["processes/held-store-is-locked"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override get capabilities() {
          return { ...super.capabilities, multiProcess: false }
        }
      })(sound),
  },
]
