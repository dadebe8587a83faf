import { statSync } from "node:fs"
import { resolve } from "node:path"
import {
  AbstractStorage,
  type Capabilities,
  checkOptions,
  decodeKey,
  type IndexDefinition,
  type IndexQuery,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
  Utf8Record,
} from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { checkDatabase } from "./database-check.js"
import { adoptDatabase, closeDatabase, connect, openDatabase } from "./open-database.js"
import { type OpenedDatabase, openUntouched } from "./open-untouched.js"
import { isTaken, RecordTable } from "./record-table.js"
import { sqliteFault } from "./sqlite-fault.js"
import { syncLog } from "./sync-log.js"

/** How to open a {@link SqliteStorage}. */
export interface SqliteStorageOptions {
  /** The database file, made if it is missing, or `:memory:`. */
  readonly path?: string | undefined
  /** An open database instead of a path. It stays the caller's: closing the store does not close it. */
  readonly database?: Database | undefined
  /** Open the file for reading only. SQLite may still make files beside it, where others can write to it. */
  readonly readonly?: boolean | undefined
  /**
   * Open the file for reading only, and change nothing in its folder. What others write from then on may not be seen:
   * a database with a write-ahead log is copied to a temporary folder, unless somebody keeps changing it.
   */
  readonly untouched?: boolean | undefined
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
  readonly #check: OpenedDatabase["check"]
  readonly #release: () => void
  readonly #indexesAreKept: boolean
  readonly #table: RecordTable
  readonly #batch: (operations: readonly TextOperation[]) => void
  readonly #add: (records: readonly TextRecord[]) => (string | undefined)[]
  readonly #update: (key: string, change: (text: string | undefined) => string) => void

  private constructor(
    { database, check, close }: OpenedDatabase,
    path: string,
    indexes?: readonly IndexDefinition[],
  ) {
    super({ readonly: database.readonly, indexes, isSynchronous: true })
    const inFile = !database.memory
    this.capabilities = {
      durable: inFile,
      atomicBatch: true,
      multiProcess: inFile,
      // A second connection shows one moment while the first one writes, which takes a write-ahead log.
      snapshots: inFile && database.pragma("journal_mode", { simple: true }) === "wal",
      checksums: false,
    }
    this.#database = database
    this.#path = path
    this.#check = check
    this.#release = close
    this.#table = new RecordTable(database, this.indexes)
    const batch = database.transaction((operations: readonly TextOperation[]) =>
      this.#table.apply(operations),
    )
    this.#batch = (operations) => batch.immediate(operations)
    const addAll = database.transaction((records: readonly TextRecord[]) => this.#table.addAll(records))
    const addEach = database.transaction((records: readonly TextRecord[]) =>
      records.map((record) => this.#table.add(record)),
    )
    this.#add = (records) => {
      try {
        addAll.immediate(records)
        return []
      } catch (error) {
        if (!isTaken(error)) throw error
        return addEach.immediate(records)
      }
    }
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
   * for a missing file with `readonly` or `untouched`, `UNSUPPORTED` for a newer schema, `CORRUPT`, `DENIED`,
   * `READONLY`, `FULL`
   */
  static async open(options: SqliteStorageOptions): Promise<SqliteStorage> {
    checkOptions("SqliteStorage", options, {
      path: "string?",
      database: "object?",
      readonly: "boolean?",
      untouched: "boolean?",
      durability: ["normal", "full"],
      indexes: "array?",
    })
    if ((options.path === undefined) === (options.database === undefined)) {
      throw new StorageError("INVALID_ARGUMENT", "SqliteStorage: give either a path or a database")
    }
    const { database, indexes } = options
    if (database !== undefined) {
      const path = database.memory ? database.name : resolve(database.name)
      adoptDatabase(database, path, database.readonly)
      return new SqliteStorage(
        { database, check: () => checkDatabase(database), close: () => undefined },
        path,
        indexes,
      )
    }
    const path = options.path === ":memory:" ? ":memory:" : resolve(options.path as string)
    const opened = await openFile(path, options)
    try {
      return new SqliteStorage(opened, path, indexes)
    } catch (error) {
      opened.close()
      throw error
    }
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#guard("read the record", key, () => this.#table.read(key))
  }

  protected async _write(key: string, text: string): Promise<void> {
    if (this.#table.isIndexed(key)) return this._batch([{ type: "write", key, text }])
    this.#guard("write the record", key, () => this.#table.write(key, text))
  }

  protected async _remove(key: string): Promise<void> {
    if (this.#table.isIndexed(key)) return this._batch([{ type: "remove", key }])
    this.#guard("remove the record", key, () => this.#table.remove(key))
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    // An editor's error may have a code like SQLite's own, and must come through as it is.
    let refusal: { readonly error: unknown } | undefined
    const changeOrRefuse = (text: string | undefined) => {
      try {
        return change(text)
      } catch (error) {
        refusal = { error }
        throw error
      }
    }
    try {
      this.#guard("update the record", key, () => this.#update(key, changeOrRefuse))
    } catch (error) {
      throw refusal === undefined ? error : refusal.error
    }
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    this.#guard("change the records", operations[0]?.key, () => this.#batch(operations))
  }

  protected override async _add(records: readonly TextRecord[]): Promise<(TextEntry | undefined)[]> {
    const present = this.#guard("add the records", records[0]?.key, () => this.#add(records))
    return records.map(({ key }, index) => entryOf(key, present[index]))
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const neighbours = this.#neighboursOf(keys)
    return keys.map((key) => neighbours.get(key) ?? this.#tryRead(key))
  }

  protected override async _check(): Promise<readonly string[]> {
    return this.#check()
  }

  protected override async _flush(): Promise<void> {
    if (!this.#database.readonly && !this.#database.memory) await syncLog(this.#path)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    yield* this.#pages(this.#table.keys(span, reverse))
  }

  protected override async *_entries(selection: Selection): AsyncGenerator<TextEntry[], void, void> {
    const { changedSince, ...anytime } = selection
    if (changedSince !== undefined) {
      if (!this.#wasChanged(changedSince)) return
      if (this.#database.name !== this.#path && !this.#database.memory) {
        // What leaves no trace is read from a copy, which shows no change: it takes another look.
        await using now = await SqliteStorage.open({ path: this.#path, untouched: true })
        return yield* now._entries(anytime)
      }
    }
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
    this.#release()
  }

  *#pages<T>(pages: Generator<T[], void, void>): Generator<T[], void, void> {
    for (;;) {
      const page = this.#guard("read the records", undefined, () => pages.next())
      if (page.done) return
      yield page.value
    }
  }

  /** Some of the records, read in one go; none where the database is damaged, which reading each one isolates. */
  #neighboursOf(keys: readonly string[]): ReadonlyMap<string, TextEntry> {
    try {
      return this.#guard("read the records", undefined, () => this.#table.neighboursOf(keys))
    } catch (error) {
      if (StorageError.is(error, "CORRUPT")) return new Map()
      throw error
    }
  }

  // A record on a damaged page must not take the others with it.
  #tryRead(key: string): TextEntry | undefined {
    try {
      const utf8 = this.#guard("read the record", key, () => this.#table.readUtf8(key))
      return utf8 && new Utf8Record(key, utf8)
    } catch (error) {
      if (StorageError.is(error, "CORRUPT")) return { key, error }
      throw error
    }
  }

  #wasChanged(since: number): boolean {
    if (this.#database.memory) return true
    return ["", "-wal"].some((suffix) => {
      const stats = statSync(this.#path + suffix, { throwIfNoEntry: false })
      return stats !== undefined && stats.mtimeMs >= since
    })
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

function entryOf(key: string, text: string | undefined): TextEntry | undefined {
  return text === undefined ? undefined : { key, text }
}

async function openFile(
  path: string,
  { untouched, readonly = false, durability = "normal" }: SqliteStorageOptions,
): Promise<OpenedDatabase> {
  if (untouched) {
    return openUntouched(path, (file) => connect(file, { path, readonly: true, durability: "normal" }))
  }
  const database = openDatabase({ path, readonly, durability })
  return { database, check: () => checkDatabase(database), close: () => closeDatabase(database, path) }
}
