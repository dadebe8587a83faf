import { isUtf8 } from "node:buffer"
import { readFile, stat, unlink } from "node:fs/promises"
import { dirname, resolve } from "node:path"
import {
  AbstractStorage,
  checkOptions,
  decodeKey,
  type IndexDefinition,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
} from "@sessile/core/storage"
import { makeFolder, syncFolder, writeAtomically } from "./atomic-file.js"
import { FileLocks, type Held } from "./file-lock.js"
import { sweepLeftovers } from "./leftovers.js"
import { LetterCase } from "./letter-case.js"
import { migrate } from "./migration/migrate.js"
import { readAhead } from "./read-ahead.js"
import { type Sighting, walkRecords } from "./record-walk.js"
import { hasCode, storageFault } from "./storage-fault.js"
import { StoreLayout } from "./store-layout.js"

/** How to open a {@link JsonStorage}. */
export interface JsonStorageOptions {
  /** The folder of the store; opencode's is `storage` in its data folder. */
  readonly path: string
  /** Write nothing at all, not even a lock. */
  readonly readonly?: boolean | undefined
  /**
   * What a resolved change survives: `"normal"` the death of this process, `"full"` also that of the machine,
   * by waiting for the disk. `"normal"` by default.
   */
  readonly durability?: "normal" | "full" | undefined
  /** Bring an older store up to date first (see `migrate`). Off by default. */
  readonly migrate?: boolean | undefined
  /** How long to wait for a record that another process holds, in milliseconds; 30,000 by default. */
  readonly lockTimeout?: number | undefined
  /** The indexes that `find` knows; `standardIndexes` by default. */
  readonly indexes?: readonly IndexDefinition[] | undefined
}

const DEFAULT_LOCK_TIMEOUT = 30_000

/** How many files a scan reads at once. */
const READ_AHEAD = 16

/**
 * Records as opencode's JSON files, byte for byte: `["message", session, id]` is `message/<session>/<id>.json`,
 * indented by two spaces, without a newline at the end.
 *
 * @example
 * ```ts
 * const storage = await JsonStorage.open({ path: opencodePaths().storage, readonly: true })
 * for await (const { key, value } of storage.scan(["session"])) console.log(key, value)
 * ```
 */
export class JsonStorage extends AbstractStorage {
  readonly capabilities = { durable: true, atomicBatch: false, multiProcess: true, snapshots: false } as const
  readonly #layout: StoreLayout
  readonly #locks: FileLocks
  readonly #letterCase: LetterCase
  readonly #sync: boolean

  private constructor(layout: StoreLayout, letterCase: LetterCase, options: JsonStorageOptions) {
    super({ readonly: options.readonly, indexes: options.indexes, indent: 2 })
    this.#layout = layout
    this.#letterCase = letterCase
    this.#locks = new FileLocks(layout.locks, options.lockTimeout ?? DEFAULT_LOCK_TIMEOUT)
    this.#sync = options.durability === "full"
  }

  /**
   * Opens a store, making its folder if it is missing.
   *
   * @throws StorageError `NOT_FOUND` for a missing folder with `readonly`, `INVALID_ARGUMENT` for bad options or
   * a path that is no folder, `DENIED`, `READONLY`, `FULL`
   */
  static async open(options: JsonStorageOptions): Promise<JsonStorage> {
    checkOptions("JsonStorage", options, {
      path: "string",
      readonly: "boolean?",
      durability: ["normal", "full"],
      migrate: "boolean?",
      lockTimeout: "count?",
      indexes: "array?",
    })
    if (options.readonly && options.migrate) {
      throw new StorageError("INVALID_ARGUMENT", "JsonStorage: a store opened for reading cannot be migrated")
    }
    const layout = new StoreLayout(resolve(options.path))
    await prepareFolder(layout, options.readonly ?? false)
    if (options.migrate) await migrate({ path: layout.root })
    return new JsonStorage(layout, await LetterCase.of(layout.root), options)
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#readText(key, this.#layout.recordPath(key))
  }

  protected async _write(key: string, text: string): Promise<void> {
    const path = this.#layout.recordPath(key)
    await this.#locks.hold(key, (held) => this.#replace(key, path, text, held))
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    const path = this.#layout.recordPath(key)
    await this.#locks.hold(key, async (held) => {
      const text = change(await this.#readText(key, path))
      await this.#replace(key, path, text, held)
    })
  }

  protected async _remove(key: string): Promise<void> {
    const path = this.#layout.recordPath(key)
    await this.#locks.hold(key, async (held) => {
      if (await this.#letterCase.isSpeltDifferently(path)) return
      await held.verify()
      try {
        await unlink(path)
        if (this.#sync) await syncFolder(dirname(path))
      } catch (error) {
        if (hasCode(error, "ENOENT", "ENOTDIR")) return
        throw storageFault("remove the record", error, path, decodeKey(key))
      }
    })
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    // A key that makes no file name must stop the batch before its first operation.
    for (const { key } of operations) this.#layout.recordPath(key)
    await super._batch(operations)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    for await (const sighting of walkRecords(this.#layout, span, reverse, this.#letterCase)) {
      if ("error" in sighting) throw sighting.error
      yield [sighting.key]
    }
  }

  protected override async *_entries(selection: Selection): AsyncGenerator<TextEntry[], void, void> {
    const sightings = this.#walk(selection)
    const window = Math.min(READ_AHEAD, selection.limit)
    for await (const entry of readAhead(sightings, window, load)) {
      if (entry !== undefined) yield [entry]
    }
  }

  protected override _locate(key: string): string {
    return this.#layout.recordPath(key)
  }

  async *#walk({ spans, reverse }: Selection): AsyncGenerator<Sighting, void, void> {
    for (const span of spans) yield* walkRecords(this.#layout, span, reverse, this.#letterCase)
  }

  async #readText(key: string, path: string): Promise<string | undefined> {
    if (await this.#letterCase.isSpeltDifferently(path)) return undefined
    return readText(key, path)
  }

  async #replace(key: string, path: string, text: string, held: Held): Promise<void> {
    if (await this.#letterCase.isSpeltDifferently(path)) {
      const message =
        "A record is there whose key differs in letter case alone, which this file system cannot tell apart"
      throw new StorageError("INVALID_KEY", message, { key: decodeKey(key), path })
    }
    await held.verify()
    try {
      await writeAtomically(path, text, { temporary: this.#layout.temporary, sync: this.#sync })
    } catch (error) {
      throw storageFault("write the record", error, path, decodeKey(key))
    }
  }
}

async function load(sighting: Sighting): Promise<TextEntry | undefined> {
  if ("error" in sighting) return sighting
  const { key, path } = sighting
  try {
    const text = await readText(key, path)
    // A record that went away since its folder was listed is no longer part of the store.
    return text === undefined ? undefined : { key, text }
  } catch (error) {
    return { key, error: storageFault("read the record", error, path, decodeKey(key)) }
  }
}

async function readText(key: string, path: string): Promise<string | undefined> {
  let content: Buffer
  try {
    content = await readFile(path)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "EISDIR")) return undefined
    throw storageFault("read the record", error, path, decodeKey(key))
  }
  if (!isUtf8(content))
    throw new StorageError("CORRUPT", "The record is not UTF-8", { key: decodeKey(key), path })
  const text = content.toString("utf8")
  return text.startsWith("\uFEFF") ? text.slice(1) : text
}

async function prepareFolder(layout: StoreLayout, readonly: boolean): Promise<void> {
  try {
    if (!readonly) await makeFolder(layout.temporary)
    if (!readonly) await makeFolder(layout.locks)
    if (!(await stat(layout.root)).isDirectory()) throw noFolder(layout.root)
    if (!readonly) await sweepLeftovers(layout)
  } catch (error) {
    if (hasCode(error, "ENOENT"))
      throw new StorageError("NOT_FOUND", "There is no store here", { path: layout.root })
    if (hasCode(error, "ENOTDIR", "EEXIST", "ENAMETOOLONG")) throw noFolder(layout.root)
    throw storageFault("open the store", error, layout.root)
  }
}

function noFolder(path: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", "A JSON store is a folder, and this is not one", { path })
}
