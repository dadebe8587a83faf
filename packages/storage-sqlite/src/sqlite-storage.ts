import { resolve } from "node:path"
import {
  AbstractStorage,
  type Capabilities,
  checkOptions,
  decodeKey,
  type IndexDefinition,
  type IndexQuery,
  isIndexed,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
} from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { adoptDatabase, openDatabase } from "./open-database.js"
import { RecordTable } from "./record-table.js"
import { sqliteFault } from "./sqlite-fault.js"

/** How to open a {@link SqliteStorage}. */
export interface SqliteStorageOptions {
  /** The database file, made if it is missing, or `:memory:`. */
  readonly path?: string | undefined
  /** An open database instead of a path. It stays the caller's: closing the store does not close it. */
  readonly database?: Database | undefined
  /** Open the file for reading only. */
  readonly readonly?: boolean | undefined
  /**
   * What a resolved change survives: `"normal"` the death of this process, `"full"` also that of the machine,
   * by waiting for the disk. `"normal"` by default.
   */
  readonly durability?: "normal" | "full" | undefined
  /** The indexes that `find` knows; `standardIndexes` by default. */
  readonly indexes?: readonly IndexDefinition[] | undefined
}

/**
 * Records in one SQLite file that explains itself: SQL tools find the views `projects`, `sessions`, `messages`,
 * `parts` and `todos` in it.
 *
 * @example
 * ```ts
 * await using storage = await SqliteStorage.open({ path: "history.db" })
 * for await (const { value } of storage.find("sessions-by-updated", { reverse: true, limit: 50 })) …
 * ```
 */
export class SqliteStorage extends AbstractStorage {
  readonly capabilities: Capabilities
  readonly #database: Database
  readonly #path: string
  readonly #isOwn: boolean
  readonly #indexesAreKept: boolean
  readonly #table: RecordTable
  readonly #batch: (operations: readonly TextOperation[]) => void
  readonly #update: (key: string, change: (text: string | undefined) => string) => void

  private constructor(database: Database, path: string, options: SqliteStorageOptions) {
    super({ readonly: database.readonly, indexes: options.indexes })
    const inFile = !database.memory
    this.capabilities = {
      durable: inFile,
      atomicBatch: true,
      multiProcess: inFile,
      // A second connection shows one moment while the first one writes, which takes a write-ahead log.
      snapshots: inFile && database.pragma("journal_mode", { simple: true }) === "wal",
    }
    this.#database = database
    this.#path = path
    this.#isOwn = options.database === undefined
    this.#table = new RecordTable(database, this.indexes)
    const batch = database.transaction((operations: readonly TextOperation[]) =>
      this.#table.apply(operations),
    )
    this.#batch = (operations) => batch.immediate(operations)
    const update = database.transaction((key: string, change: (text: string | undefined) => string) =>
      this.#table.write(key, change(this.#table.read(key))),
    )
    this.#update = (key, change) => update.immediate(key, change)
    this.#indexesAreKept = this.#guard("keep the indexes", undefined, () => this.#keepIndexes())
  }

  /**
   * Opens a database.
   *
   * @throws StorageError `INVALID_ARGUMENT` for bad options, a folder or another program's database, `NOT_FOUND`
   * for a missing file with `readonly`, `UNSUPPORTED` for a newer schema, `CORRUPT`, `DENIED`, `READONLY`, `FULL`
   */
  static async open(options: SqliteStorageOptions): Promise<SqliteStorage> {
    checkOptions("SqliteStorage", options, {
      path: "string?",
      database: "object?",
      readonly: "boolean?",
      durability: ["normal", "full"],
      indexes: "array?",
    })
    if ((options.path === undefined) === (options.database === undefined)) {
      throw new StorageError("INVALID_ARGUMENT", "SqliteStorage: give either a path or a database")
    }
    if (options.database !== undefined) {
      const { database } = options
      adoptDatabase(database, database.name, database.readonly)
      return new SqliteStorage(database, database.name, options)
    }
    const path = options.path === ":memory:" ? ":memory:" : resolve(options.path as string)
    const { readonly = false, durability = "normal" } = options
    return new SqliteStorage(openDatabase({ path, readonly, durability }), path, options)
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#guard("read the record", key, () => this.#table.read(key))
  }

  protected async _write(key: string, text: string): Promise<void> {
    if (isIndexed(this.indexes, key)) return this._batch([{ type: "write", key, text }])
    this.#guard("write the record", key, () => this.#table.write(key, text))
  }

  protected async _remove(key: string): Promise<void> {
    if (isIndexed(this.indexes, key)) return this._batch([{ type: "remove", key }])
    this.#guard("remove the record", key, () => this.#table.remove(key))
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    this.#guard("update the record", key, () => this.#update(key, change))
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    this.#guard("change the records", operations[0]?.key, () => this.#batch(operations))
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    yield* this.#pages(this.#table.keys(span, reverse))
  }

  protected override async *_entries(selection: Selection): AsyncGenerator<TextEntry[], void, void> {
    if (!selection.snapshot)
      return yield* this.#pages(this.#table.entries(selection.spans, selection.reverse))
    const reader = this.#guard(
      "open a snapshot",
      undefined,
      () => new SqliteDatabase(this.#path, { readonly: true }),
    )
    try {
      // A transaction sees one moment from its first read on.
      reader.exec("BEGIN; SELECT 1 FROM records LIMIT 1")
      const table = new RecordTable(reader, this.indexes)
      yield* this.#pages(table.entries(selection.spans, selection.reverse))
    } finally {
      reader.close()
    }
  }

  protected override async *_find(
    index: IndexDefinition,
    query: IndexQuery,
  ): AsyncGenerator<readonly TextEntry[], void, void> {
    if (this.#indexesAreKept) yield* this.#pages(this.#table.find(index, query))
    else yield* super._find(index, query)
  }

  protected override _locate(): string {
    return this.#path
  }

  protected override async _close(): Promise<void> {
    if (!this.#isOwn) return
    if (!this.#database.readonly && !this.#database.memory) this.#leavePlainFile()
    this.#database.close()
  }

  *#pages<T>(pages: Generator<T[], void, void>): Generator<T[], void, void> {
    for (;;) {
      const page = this.#guard("read the records", undefined, () => pages.next())
      if (page.done) return
      yield page.value
    }
  }

  /** Keeps index entries for the declared indexes, whatever the database was used with before. */
  #keepIndexes(): boolean {
    const wanted = JSON.stringify(this.indexes)
    const current = () =>
      this.#database.prepare("SELECT value FROM settings WHERE name = 'indexes'").pluck().get()
    if (current() === wanted) return true
    if (this.#database.readonly) return false
    this.#database
      .transaction(() => {
        if (current() === wanted) return
        this.#table.rebuildIndexes()
        this.#database
          .prepare("INSERT OR REPLACE INTO settings (name, value) VALUES ('indexes', ?)")
          .run(wanted)
      })
      .immediate()
    return true
  }

  // Without a write-ahead log beside it the file can be copied, and opened on read-only media.
  #leavePlainFile(): void {
    try {
      this.#database.pragma("busy_timeout = 0")
      this.#database.pragma("journal_mode = DELETE")
    } catch (error) {
      // Another process is at work: the log stays until the last one leaves.
      if (!isBusy(error)) throw sqliteFault("close the database", error, this.#path)
    }
  }

  #guard<T>(action: string, key: string | undefined, operation: () => T): T {
    try {
      return operation()
    } catch (error) {
      if (!this.#database.open)
        throw new StorageError("CLOSED", "The database was closed", { path: this.#path })
      throw sqliteFault(action, error, this.#path, key === undefined ? undefined : decodeKey(key))
    }
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && error.code.startsWith("SQLITE_BUSY")
}
