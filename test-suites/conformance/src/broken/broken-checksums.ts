import { type Entry, type Key, type ScanOptions, StorageError } from "@sessile/core/storage"
import { ALTERED_TEXT } from "../contracts/checksums.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { WrappedStorage } from "./wrapped-storage.js"

/** Faults in noticing records that were altered outside of the store. */
export const brokenChecksums: readonly BrokenAdapter[] = [
  {
    name: "checksums are declared, and nothing is checked",
    caughtBy: ["checksums/altered-value"],
    over: "files",
    wrap: (sound) => new CheckedStorage(sound, []),
  },
  {
    name: "checksums are checked by read alone",
    caughtBy: ["checksums/altered-value"],
    over: "files",
    wrap: (sound) => new CheckedStorage(sound, ["read"]),
  },
  {
    name: "checksums are checked everywhere but in scans",
    caughtBy: ["checksums/altered-value"],
    over: "files",
    wrap: (sound) => new CheckedStorage(sound, ["read", "update", "find"]),
  },
  {
    name: "an altered record counts as one that is not there",
    caughtBy: ["checksums/altered-value"],
    over: "files",
    wrap: (sound) => new CheckedStorage(sound, ["read", "update", "scan", "find"], "NOT_FOUND"),
  },
  {
    name: "altered records are refused by a store that does not declare it",
    caughtBy: ["checksums/undeclared"],
    over: "files",
    wrap: (sound) =>
      new (class extends WrappedStorage {
        override async read<T>(key: Key): Promise<T> {
          return refuseAltered(await super.read<T>(key), key, "CORRUPT")
        }
      })(sound),
  },
]

type Reading = "read" | "update" | "scan" | "find"

/** Declares checksums, and has them in some ways of reading. What is altered it knows by the contract's own mark. */
class CheckedStorage extends WrappedStorage {
  readonly #checked: readonly Reading[]
  readonly #code: "CORRUPT" | "NOT_FOUND"

  constructor(
    inner: WrappedStorage["inner"],
    checked: readonly Reading[],
    code: "CORRUPT" | "NOT_FOUND" = "CORRUPT",
  ) {
    super(inner)
    this.#checked = checked
    this.#code = code
  }

  override get capabilities() {
    return { ...super.capabilities, checksums: true }
  }

  override async read<T>(key: Key): Promise<T> {
    return this.#check("read", await super.read<T>(key), key)
  }

  override async update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    this.#check("update", await super.read<T>(key), key)
    return super.update(key, edit)
  }

  override scan<T>(prefix: Key, options?: ScanOptions): AsyncIterable<Entry<T>> {
    return this.#each("scan", super.scan<T>(prefix, options))
  }

  override scanMany<T>(prefixes: readonly Key[], options?: ScanOptions): AsyncIterable<Entry<T>> {
    return this.#each("scan", super.scanMany<T>(prefixes, options))
  }

  override find<T>(index: string): AsyncIterable<Entry<T>> {
    return this.#each("find", super.find<T>(index))
  }

  async *#each<T>(reading: Reading, entries: AsyncIterable<Entry<T>>): AsyncGenerator<Entry<T>, void, void> {
    for await (const { key, value } of entries) yield { key, value: this.#check(reading, value, key) }
  }

  #check<T>(reading: Reading, value: T, key: Key): T {
    return this.#checked.includes(reading) ? refuseAltered(value, key, this.#code) : value
  }
}

function refuseAltered<T>(value: T, key: Key, code: "CORRUPT" | "NOT_FOUND"): T {
  if ((value as { text?: unknown }).text !== ALTERED_TEXT) return value
  throw new StorageError(code, "The record was altered", { key })
}
