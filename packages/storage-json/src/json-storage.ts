import { existsSync } from "node:fs"
import { stat, unlink } from "node:fs/promises"
import { dirname, resolve, sep } from "node:path"
import {
  AbstractStorage,
  checkOptions,
  decodeKey,
  encodeKey,
  type IndexDefinition,
  type Key,
  type Selection,
  type Shelf,
  type ShelvedFolder,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
  type Wish,
} from "@sessile/core/storage"
import { type AtomicWriteOptions, addAtomically, commitFile } from "./atomic-file.js"
import { changeTime } from "./change-time.js"
import { DurableFolders } from "./durable-folders.js"
import { FileLocks, type Held } from "./file-lock.js"
import { flushStore } from "./flush-store.js"
import { FolderMemory } from "./folder-memory.js"
import { isTold, tellOf } from "./foreign-files.js"
import { sweepTemporary } from "./leftovers.js"
import { LetterCase } from "./letter-case.js"
import { migrate } from "./migration/migrate.js"
import { inPages, lengthOf } from "./pages.js"
import { readFolder } from "./read-folder.js"
import { readEntry, readText, toEntry } from "./read-text.js"
import { type Sighting, walkStore } from "./record-walk.js"
import { Slice, turn } from "./slices.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreBounds } from "./store-bounds.js"
import { assertFolderExists } from "./store-folder.js"
import { StoreLayout } from "./store-layout.js"
import { makeFolder, syncAbove } from "./sync-folder.js"

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
  readonly capabilities = {
    durable: true,
    atomicBatch: false,
    multiProcess: true,
    snapshots: false,
    checksums: false,
  } as const
  readonly #layout: StoreLayout
  readonly #locks: FileLocks
  readonly #letterCase: LetterCase
  readonly #writing: AtomicWriteOptions
  readonly #slice = new Slice()
  readonly #memory = new FolderMemory()
  /** The topmost folder that opening the store made. */
  #topmost: string | undefined

  private constructor(layout: StoreLayout, letterCase: LetterCase, options: JsonStorageOptions) {
    super({ readonly: options.readonly, indexes: options.indexes, indent: 2 })
    this.#layout = layout
    this.#letterCase = letterCase
    this.#locks = new FileLocks(layout, options.lockTimeout ?? DEFAULT_LOCK_TIMEOUT)
    const durable = options.durability === "full" ? new DurableFolders(layout.root) : undefined
    this.#writing = { temporary: layout.temporary, durable }
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
    const topmost = await prepareFolder(layout, options.readonly ?? false)
    if (topmost !== undefined && options.durability === "full") await syncNew(layout, topmost)
    if (options.migrate) await migrate({ path: layout.root, durability: options.durability })
    const storage = new JsonStorage(layout, await LetterCase.of(layout.root), options)
    storage.#topmost = topmost
    if (!options.readonly) storage.#locks.sweep()
    return storage
  }

  protected async _read(key: string): Promise<string | undefined> {
    const text = await this.#readText(key, this.#layout.recordPath(key))
    if (text === undefined) assertFolderExists(this.#layout.root)
    return text
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const entries: (TextEntry | undefined)[] = []
    for (const key of keys) {
      const path = this.#layout.recordPath(key)
      const reading = this.#letterCase.isSpeltDifferently(path)
        ? undefined
        : readEntry(key, path, this.#layout.bounds)
      // Waiting for what is there already is most of the price of a small record.
      const entry = reading instanceof Promise ? await reading : reading
      entries.push(entry && "text" in entry ? { key, text: entry.text } : entry)
      if (this.#slice.isFullWith(lengthOf(entry))) await turn()
    }
    if (entries.includes(undefined)) assertFolderExists(this.#layout.root)
    return entries
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
      if (this.#letterCase.isSpeltDifferently(path)) return
      this.#layout.bounds.requireInside(path, "change", decodeKey(key))
      held.verify()
      try {
        await unlink(path)
        await this.#writing.durable?.sync(dirname(path))
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

  protected override async _add(records: readonly TextRecord[]): Promise<(TextEntry | undefined)[]> {
    // A key that makes no file name must stop all before the first is added.
    const paths = records.map(({ key }) => this.#layout.recordPath(key))
    const present: (TextEntry | undefined)[] = []
    for (const [index, { key, text }] of records.entries()) {
      present.push(await this.#add(key, text, paths[index] as string))
      if (this.#slice.isFullWith(text.length)) await turn()
    }
    return present
  }

  protected override async _flush(): Promise<void> {
    await flushStore(this.#layout)
    if (this.#topmost !== undefined) await syncNew(this.#layout, this.#topmost)
  }

  protected _keys(span: Span, reverse: boolean, wish: Wish = {}): AsyncIterable<string[]> {
    const { onForeign } = wish
    return inPages(this.#sightings({ spans: [span], reverse, ...wish }), (sighting) => {
      return isTold(sighting, onForeign) ? tellOf(sighting, onForeign) : keyOf(sighting)
    })
  }

  protected override _entries(selection: Selection): AsyncGenerator<TextEntry[], void, void> {
    const { limit, onForeign, shelf } = selection
    const take = (sighting: Sighting) =>
      isTold(sighting, onForeign) ? tellOf(sighting, onForeign) : load(sighting, this.#layout.bounds, shelf)
    return inPages(this.#sightings(selection), take, limit)
  }

  protected override _readFolder(prefix: Key, shelf: Shelf): ShelvedFolder | undefined {
    const path = this.#layout.folderPath(prefix)
    if (this.#letterCase.isSpeltDifferently(path)) return undefined
    this.#layout.bounds.requireInside(`${path}${sep}`, "read", prefix)
    const folder = readFolder(path, shelf)
    if (folder !== undefined) this.#memory.note(encodeKey(prefix), folder.ids)
    return folder
  }

  protected override _locate(key: string): string {
    return this.#layout.recordPath(key)
  }

  *#sightings(selection: Omit<Selection, "limit" | "snapshot">): Generator<Sighting, void, void> {
    const { spans, reverse, share, skips, changedSince: since } = selection
    const letterCase = this.#letterCase
    // Only those who move records come back to look for changes, and only they ask for shares.
    const memory = share && this.#memory
    for (const span of spans) {
      const walk = { span, reverse, share, skips, letterCase, memory, since }
      const sightings = walkStore(this.#layout, walk)
      if (since === undefined) yield* sightings
      else for (const sighting of sightings) if (wasChanged(sighting, since)) yield sighting
    }
    assertFolderExists(this.#layout.root)
  }

  #readEntry(key: string, path: string): Promise<TextEntry | undefined> {
    return toEntry(key, path, this.#readText(key, path))
  }

  async #readText(key: string, path: string): Promise<string | undefined> {
    if (this.#letterCase.isSpeltDifferently(path)) return undefined
    const text = await readText(key, path, this.#layout.bounds)
    if (this.#slice.isFullWith(text?.length)) await turn()
    return text
  }

  async #replace(key: string, path: string, text: string, held: Held): Promise<void> {
    this.#refuseTwin(key, path)
    this.#layout.bounds.requireInside(path, "change", decodeKey(key))
    try {
      if (!(await commitFile(held.prepared, path, text, this.#writing.durable))) held.verify()
    } catch (error) {
      throw storageFault("write the record", error, path, decodeKey(key))
    }
    if (this.#slice.isFullWith(text.length)) await turn()
  }

  /** Gives what is in the way, if anything is. */
  async #add(key: string, text: string, path: string): Promise<TextEntry | undefined> {
    const present = existsSync(path) ? await this.#readEntry(key, path) : undefined
    if (present !== undefined) return present
    this.#refuseTwin(key, path)
    this.#layout.bounds.requireInside(path, "change", decodeKey(key))
    try {
      if (await addAtomically(path, text, this.#writing)) return undefined
    } catch (error) {
      throw storageFault("write the record", error, path, decodeKey(key))
    }
    return this.#locks.hold(key, async (held) => {
      const winner = await this.#readEntry(key, path)
      if (winner === undefined) await this.#replace(key, path, text, held)
      return winner
    })
  }

  #refuseTwin(key: string, path: string): void {
    if (!this.#letterCase.isSpeltDifferently(path)) return
    const message =
      "A record is there whose key differs in letter case alone, which this file system cannot tell apart"
    throw new StorageError("INVALID_KEY", message, { key: decodeKey(key), path })
  }
}

function keyOf(sighting: Sighting): string | undefined {
  if (sighting.kind === "barrier") throw sighting.error
  return sighting.kind === "record" ? sighting.key : undefined
}

// A record that went away since its folder was listed is no longer part of the store.
function load(
  sighting: Sighting,
  bounds: StoreBounds,
  shelf: Shelf | undefined,
): TextEntry | undefined | Promise<TextEntry | undefined> {
  if (sighting.kind === "barrier") return { key: sighting.key, error: sighting.error }
  return sighting.kind === "record" ? readEntry(sighting.key, sighting.path, bounds, shelf) : undefined
}

function wasChanged(sighting: Sighting, since: number): boolean {
  // A link out of the store is reported by the scan of everything; what it leads to may change as it likes.
  if (sighting.kind === "barrier" && sighting.reason !== undefined) return false
  if (sighting.kind !== "record") return true
  const changed = changeTime(sighting.path)
  return changed !== undefined && changed >= since
}

/** Gives the topmost folder that was made, if any was. */
async function prepareFolder(layout: StoreLayout, readonly: boolean): Promise<string | undefined> {
  try {
    const topmost = readonly ? undefined : makeFolder(layout.temporary)
    if (!readonly) makeFolder(layout.locks)
    if (!(await stat(layout.root)).isDirectory()) throw noFolder(layout.root)
    if (!readonly) layout.requireOwnFolders()
    if (!readonly) await sweepTemporary(layout.temporary)
    return topmost
  } catch (error) {
    if (hasCode(error, "ENOENT"))
      throw new StorageError("NOT_FOUND", "There is no store here", { path: layout.root })
    if (hasCode(error, "ENOTDIR", "EEXIST", "ENAMETOOLONG")) throw noFolder(layout.root)
    throw storageFault("open the store", error, layout.root)
  }
}

/** Waits until the name of the store, and those of new folders above it, have reached the disk. */
async function syncNew(layout: StoreLayout, topmost: string): Promise<void> {
  try {
    await syncAbove(layout.root, topmost)
  } catch (error) {
    // A store that is gone has nothing to wait for.
    if (!hasCode(error, "ENOENT")) throw storageFault("wait for the disk", error, layout.root)
  }
}

function noFolder(path: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", "A JSON store is a folder, and this is not one", { path })
}
