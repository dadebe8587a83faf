import { resolve } from "node:path"
import {
  AbstractStorage,
  checkOptions,
  decodeKey,
  type IndexDefinition,
  type IndexQuery,
  isIndexed,
  type Selection,
  type Span,
  StorageError,
  standardIndexes,
  type TextEntry,
  type TextOperation,
} from "@sessile/core/storage"
import { checkIndexes } from "./check-indexes.js"
import { CHUNK_BYTES, chunks } from "./chunks.js"
import { type Database, openDatabase, prepareFolder, type Snapshot } from "./database.js"
import { examineCopy, examineStore } from "./examine-store.js"
import { noteClosing } from "./files/closing-note.js"
import { indexChanges, type Step } from "./index-changes.js"
import { indexRange, MARKER, RECORD, recordOfIndexKey, recordRange } from "./layout.js"
import { levelFault } from "./level-fault.js"
import { prepareStore } from "./prepare-store.js"
import { PrivateCopy } from "./private-copy.js"
import { PrivateFiles } from "./private-files.js"
import { type RepairReport, repair } from "./repair/repair.js"
import { skipScan } from "./skip-scan.js"
import { isStoredEntry, storedText, unverifiedText, verifiedText } from "./stored-text.js"
import { WriteGuard } from "./write-guard.js"

/** How to open a {@link LevelStorage}. */
export interface LevelStorageOptions {
  /** The folder of the store. */
  readonly path: string
  /**
   * Read a private copy of the store as it is now. LevelDB writes when it opens, so nothing else leaves the store
   * untouched; it need not be closed by whoever holds it.
   */
  readonly readonly?: boolean | undefined
  /**
   * What a resolved change survives: `"normal"` the death of this process, `"full"` also that of the machine,
   * by waiting for the disk. `"normal"` by default.
   */
  readonly durability?: "normal" | "full" | undefined
  /** The indexes that `find` knows; `standardIndexes` by default. Others than last time are built at opening. */
  readonly indexes?: readonly IndexDefinition[] | undefined
}

/** How many records a scan reads at once. */
const SCAN_CHUNK = 200

/** How many records `find` reads at once. */
const FIND_CHUNK = 64

/**
 * Records in LevelDB, an embedded engine that serves one process at a time.
 *
 * @example
 * ```ts
 * await using storage = await LevelStorage.open({ path: "history" })
 * await storage.batch([
 *   { type: "write", key: ["message", session, id], value: message },
 *   { type: "remove", key: ["draft", session] },
 * ])
 * ```
 */
export class LevelStorage extends AbstractStorage {
  readonly capabilities = {
    durable: true,
    atomicBatch: true,
    multiProcess: false,
    snapshots: true,
    checksums: true,
  } as const
  readonly #database: Database
  readonly #path: string
  readonly #copy: PrivateCopy | undefined
  readonly #files: PrivateFiles
  readonly #guard: WriteGuard
  readonly #findings: readonly string[]
  readonly #writing: { readonly sync: boolean; readonly keyEncoding: "utf8"; readonly valueEncoding: "utf8" }

  private constructor(
    database: Database,
    path: string,
    options: LevelStorageOptions,
    copy: PrivateCopy | undefined,
    findings: readonly string[],
  ) {
    super({ indexes: options.indexes, readonly: options.readonly, readsInOneStep: true })
    this.#copy = copy
    this.#database = database
    this.#path = path
    this.#files = new PrivateFiles(path)
    this.#guard = new WriteGuard(path, this.#files)
    this.#findings = findings
    this.#writing = { sync: options.durability === "full", keyEncoding: "utf8", valueEncoding: "utf8" }
  }

  /**
   * Opens a store, making its folder if it is missing.
   *
   * @throws StorageError `LOCKED` at once while somebody else holds the store, `CORRUPT` for a damaged one (see
   * {@link LevelStorage.repair}), `INVALID_ARGUMENT` for bad options, a path that is no folder or a database of
   * another program, `NOT_FOUND` for a missing one with `readonly`, `UNSUPPORTED` for one of a newer format,
   * `DENIED`, `READONLY`, `FULL`
   */
  static async open(options: LevelStorageOptions): Promise<LevelStorage> {
    checkOptions("LevelStorage", options, {
      path: "string",
      readonly: "boolean?",
      durability: ["normal", "full"],
      indexes: "array?",
    })
    const path = resolve(options.path)
    const copy = options.readonly ? await PrivateCopy.make(path) : undefined
    let database: Database | undefined
    try {
      if (copy === undefined) await prepareFolder(path, options.durability === "full")
      const findings = copy === undefined ? await examineStore(path) : await examineCopy(copy.path, path)
      database = await openDatabase(copy?.path ?? path)
      await new PrivateFiles(copy?.path ?? path).restrict()
      await prepareStore(database, path, options.indexes ?? standardIndexes)
      return new LevelStorage(database, path, options, copy, findings)
    } catch (error) {
      await database?.close()
      copy?.remove()
      throw levelFault("open the store", error, path)
    }
  }

  /**
   * Brings a damaged store into a state in which it can be opened, with the records that are still readable.
   * Records of damaged files are lost, and old ones may come back: make a copy of the folder first. Files that
   * were replaced are kept in its folder `lost`. The next opening builds the indexes anew.
   *
   * @throws StorageError `NOT_FOUND` where there is no store, `LOCKED` while somebody holds it, `INVALID_ARGUMENT`
   * for a database of another program
   *
   * @example
   * ```ts
   * const { records } = await LevelStorage.repair("history")
   * ```
   */
  static async repair(path: string): Promise<RepairReport> {
    checkOptions("LevelStorage.repair", { path }, { path: "string" })
    return repair(resolve(path))
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#verified(key)
  }

  protected async _write(key: string, text: string): Promise<void> {
    if (isIndexed(this.indexes, key)) return this.#replace(key, this.#former(key), text)
    return this.#put(key, text)
  }

  protected async _remove(key: string): Promise<void> {
    if (isIndexed(this.indexes, key)) return this.#replace(key, this.#former(key), undefined)
    return this.#guard.run(0, () => this.#database.del(RECORD + key, this.#writing))
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    const before = this.#verified(key)
    const after = change(before)
    return isIndexed(this.indexes, key) ? this.#replace(key, before, after) : this.#put(key, after)
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    const last = new Map(operations.map((operation) => [operation.key, operation]))
    const changes = [...last.values()].map(recordChange)
    for (const [key, operation] of last) {
      if (!isIndexed(this.indexes, key)) continue
      changes.push(...indexChanges(this.indexes, key, this.#former(key), textOf(operation)))
    }
    await this.#commit(changes)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    const range = { ...recordRange(span), reverse, highWaterMarkBytes: CHUNK_BYTES }
    try {
      for await (const chunk of chunks(this.#database.keys(range), SCAN_CHUNK)) {
        yield chunk.map((key) => key.slice(RECORD.length))
      }
    } catch (error) {
      throw levelFault("list the records", error, this.#path)
    }
  }

  protected override async *_entries({
    changedSince,
    ...selection
  }: Selection): AsyncGenerator<TextEntry[], void, void> {
    if (changedSince !== undefined && this.#copy !== undefined) {
      if (!(await this.#copy.isOutdated())) return
      // Nothing changes in a copy: it takes another look.
      await using now = await LevelStorage.open({ path: this.#path, readonly: true })
      return yield* now._entries(selection)
    }
    const { spans, reverse, limit } = selection
    const options = { reverse, size: Math.min(limit, SCAN_CHUNK) }
    try {
      for await (const page of skipScan(this.#database, spans.map(recordRange), options)) {
        yield page.map((entry) => this.#entryOf(entry[0].slice(RECORD.length), entry[1]))
      }
    } catch (error) {
      throw levelFault("scan the records", error, this.#path)
    }
  }

  protected override async *_find(
    index: IndexDefinition,
    query: IndexQuery,
  ): AsyncGenerator<TextEntry[], void, void> {
    const snapshot = this.#database.snapshot()
    try {
      const range = { ...indexRange(index, query), reverse: query.reverse ?? false, snapshot }
      const entries = this.#database.iterator<Buffer, string>({ ...range, keyEncoding: "buffer" })
      for await (const chunk of chunks(entries, Math.min(query.limit ?? FIND_CHUNK, FIND_CHUNK))) {
        yield chunk.map(([entry, value]) => {
          if (!isStoredEntry(entry, value)) throw this.#corrupt("An entry of an index is damaged")
          const key = recordOfIndexKey(index, entry)
          const stored = this.#get(key, snapshot)
          if (stored !== undefined) return this.#entryOf(key, stored)
          return { key, error: this.#corrupt("An index names a record that is not there", key) }
        })
      }
    } catch (error) {
      throw levelFault("find the records", error, this.#path)
    } finally {
      await snapshot.close()
    }
  }

  protected override async _check(): Promise<readonly string[]> {
    try {
      return [...this.#findings, ...(await checkIndexes(this.#database, this.indexes))]
    } catch (error) {
      throw levelFault("check the store", error, this.#path)
    }
  }

  protected override _locate(): string {
    return this.#path
  }

  protected override async _flush(): Promise<void> {
    try {
      // Compacting even an empty range writes what is in memory to a table, and waits for the disk.
      await this.#database.compactRange(MARKER, MARKER)
      await this.#files.restrict()
    } catch (error) {
      throw levelFault("write the store to the disk", error, this.#path)
    }
  }

  protected override async _close(): Promise<void> {
    try {
      await this.#database.close()
      if (this.#copy !== undefined) return
      await this.#files.restrict()
      if (!this.#guard.hasFailed) await noteClosing(this.#path)
    } catch (error) {
      throw levelFault("close the store", error, this.#path)
    } finally {
      this.#copy?.remove()
    }
  }

  /** @throws StorageError `CORRUPT` for a record that was altered outside of the store */
  #verified(key: string): string | undefined {
    const stored = this.#get(key)
    if (stored === undefined) return undefined
    const text = verifiedText(key, stored)
    if (text === undefined) throw this.#alteredRecord(key)
    return text
  }

  /** The text that is about to be replaced, which only says what its index entries are, and may be damaged. */
  #former(key: string): string | undefined {
    const stored = this.#get(key)
    return stored && unverifiedText(stored)
  }

  #entryOf(key: string, stored: string): TextEntry {
    const text = verifiedText(key, stored)
    return text === undefined ? { key, error: this.#alteredRecord(key) } : { key, text }
  }

  // Without a detour through another thread, which takes many times as long as the reading itself.
  #get(key: string, snapshot?: Snapshot): string | undefined {
    // As bytes: of a long string with characters of several bytes the engine may look up a part instead.
    const encoded = Buffer.from(RECORD + key)
    try {
      return this.#database.getSync(encoded, { keyEncoding: "buffer", valueEncoding: "utf8", snapshot })
    } catch (error) {
      throw levelFault("read the record", error, this.#path, decodeKey(key))
    }
  }

  #put(key: string, text: string): Promise<void> {
    return this.#guard.run(text.length, () =>
      this.#database.put(RECORD + key, storedText(key, text), this.#writing),
    )
  }

  /** Replaces a record and its index entries; `undefined` stands for no record. */
  async #replace(key: string, before: string | undefined, after: string | undefined): Promise<void> {
    const operation: TextOperation =
      after === undefined ? { type: "remove", key } : { type: "write", key, text: after }
    await this.#commit([recordChange(operation), ...indexChanges(this.indexes, key, before, after)])
  }

  async #commit(changes: readonly Step[]): Promise<void> {
    let size = 0
    for (const change of changes) if (change.type === "put") size += change.value.length
    await this.#guard.run(size, () =>
      this.#database.batch<string | Buffer, string>([...changes], this.#writing),
    )
  }

  #alteredRecord(key: string): StorageError {
    return this.#corrupt("The checksum of the record is wrong: it was altered outside of the store", key)
  }

  #corrupt(what: string, key?: string): StorageError {
    const message = `${what}; make a copy, then call LevelStorage.repair(path)`
    return new StorageError("CORRUPT", message, {
      key: key === undefined ? key : decodeKey(key),
      path: this.#path,
    })
  }
}

function recordChange(operation: TextOperation): Step {
  const key = RECORD + operation.key
  if (operation.type === "remove") return { type: "del", key }
  return { type: "put", key, value: storedText(operation.key, operation.text) }
}

function textOf(operation: TextOperation | undefined): string | undefined {
  return operation?.type === "write" ? operation.text : undefined
}
