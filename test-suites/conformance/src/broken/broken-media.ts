import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

/** Faults that only a read-only or a full medium shows. */
export const brokenMedia: readonly BrokenAdapter[] = [
  {
    name: "changes of a store opened for reading are ignored without a word",
    caughtBy: ["media/opened-for-reading"],
    over: "files",
    wrap: (sound) => new DeafStorage(sound, "READONLY"),
  },
  {
    name: "a write that finds the disk full is ignored without a word",
    caughtBy: ["media/full-medium"],
    over: "files",
    wrap: (sound) => new DeafStorage(sound, "FULL"),
  },
  {
    name: "a batch that is declared atomic leaves on a full medium what fits",
    caughtBy: ["media/full-medium-batch"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override get capabilities() {
          return { ...super.capabilities, atomicBatch: true }
        }
      })(sound),
  },
  {
    name: "a read-only medium gives the bare error of the operating system",
    caughtBy: ["media/read-only-medium"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override async write(key: Key, value: unknown) {
          try {
            await super.write(key, value)
          } catch (error) {
            throw StorageError.is(error) ? (error.cause ?? error) : error
          }
        }
      })(sound),
  },
]

/** Takes failures of one kind for success. */
class DeafStorage extends WrappedStorage {
  readonly #code: StorageErrorCode

  constructor(sound: ConstructorParameters<typeof WrappedStorage>[0], code: StorageErrorCode) {
    super(sound)
    this.#code = code
  }

  override async write(key: Key, value: unknown): Promise<void> {
    try {
      await super.write(key, value)
    } catch (error) {
      if (!StorageError.is(error, this.#code)) throw error
    }
  }
}
