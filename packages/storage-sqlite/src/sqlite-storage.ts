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
} from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { CarefulReader } from "./careful-reader.js"
import { checkDatabase } from "./database-check.js"
import { refuseDamagedLog } from "./log-damage.js"
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
  readonly #isUntouched: boolean
  readonly #table: RecordTable
  #carefulReader: CarefulReader | undefined
  readonly #batch: (operations: readonly TextOperation[]) => void
  readonly #add: (records: readonly TextRecord[]) => (TextEntry | undefined)[]
  readonly #update: (key: string, change: (text: string | undefined) => string) => void

  private constructor(opened: OpenedDatabase, path: string, options: SqliteStorageOptions) {
    const { database } = opened
    super({ readonly: database.readonly, indexes: options.indexes, isSynchronous: true })
    this.#database = database
    this.#path = path
    this.#check = opened.check
    this.#release = opened.close
    this.#isUntouched = options.untouched ?? false
    const inFile = !database.memory
    this.capabilities = {
      durable: inFile,
      atomicBatch: true,
      multiProcess: inFile,
      // A second connection shows one moment while the first one writes, which takes a write-ahead log.
      snapshots: inFile && this.#guard("open the database", undefined, () => hasLog(database)),
      checksums: true,
    }
    this.#table = this.#guard("open the database", undefined, () => new RecordTable(database, path))
    this.#batch = this.#changing((operations) => this.#table.apply(operations))
    const addAll = this.#changing((records: readonly TextRecord[]) => this.#table.addAll(records))
    const addEach = this.#changing((records: readonly TextRecord[]) =>
      records.map((record) => this.#table.add(record)),
    )
    this.#add = (records) => {
      try {
        addAll(records)
        return []
      } catch (error) {
        if (!isTaken(error)) throw error
        return addEach(records)
      }
    }
    this.#update = this.#changing((key: string, change: (text: string | undefined) => string) => {
      this.#table.write(key, change(this.#table.read(key)))
    })
    if (database.readonly) return
    this.#guard("keep the indexes", undefined, () => this.#keepIndexes())
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
    const { database } = options
    if (database !== undefined) {
      const path = database.memory ? database.name : resolve(database.name)
      adoptDatabase(database, path, database.readonly)
      return new SqliteStorage(
        { database, check: () => checkDatabase(database), close: () => undefined },
        path,
        options,
      )
    }
    const path = options.path === ":memory:" ? ":memory:" : resolve(options.path as string)
    const opened = await openFile(path, options)
    try {
      return new SqliteStorage(opened, path, options)
    } catch (error) {
      opened.close()
      throw error
    }
  }

  protected async _read(key: string): Promise<string | undefined> {
    if (!this.#isUntouched) return this.#guard("read the record", key, () => this.#table.read(key))
    const entry = this.#tryRead(key)
    if (entry !== undefined && "error" in entry) throw entry.error
    return entry?.text
  }

  protected async _write(key: string, text: string): Promise<void> {
    const write = () => this.#table.writeAlone(key, text)
    if (!this.#guard("write the record", key, write)) await this._batch([{ type: "write", key, text }])
  }

  protected async _remove(key: string): Promise<void> {
    const remove = () => this.#table.removeAlone(key)
    if (!this.#guard("remove the record", key, remove)) await this._batch([{ type: "remove", key }])
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
    return records.map((_, position) => present[position])
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const isWhole = !this.#isUntouched || this.#careful().isWhole
    const neighbours = isWhole ? this.#neighboursOf(keys) : new Map<string, TextEntry>()
    return keys.map((key) => neighbours.get(key) ?? this.#tryRead(key))
  }

  protected override async _check(): Promise<readonly string[]> {
    const problems = await this.#check()
    if (this.#isUntouched || problems.length > 0) return problems
    return this.#guard("check the indexes", undefined, () => this.#table.problemsOfIndexes())
  }

  protected override async _flush(): Promise<void> {
    if (!this.#database.readonly && !this.#database.memory) await syncLog(this.#path)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    yield* this.#pages(this.#reader().keys(span, reverse))
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
      return yield* this.#pages(this.#reader().entries(selection.spans, selection.reverse))
    const reader = this.#guard(
      "open a snapshot",
      undefined,
      () => new SqliteDatabase(this.#path, { readonly: true }),
    )
    try {
      const records = this.#guard("read the records", undefined, () => {
        // A transaction sees one moment from its first read on.
        reader.exec("BEGIN; SELECT 1 FROM records LIMIT 1")
        return this.#isUntouched ? new CarefulReader(reader, this.#path) : new RecordTable(reader, this.#path)
      })
      yield* this.#pages(records.entries(selection.spans, selection.reverse))
    } finally {
      reader.close()
    }
  }

  protected override async *_find(
    index: IndexDefinition,
    query: IndexQuery,
  ): AsyncGenerator<readonly TextEntry[], void, void> {
    // Whose records are found without the index of their keys has no use for others either.
    if (!this.#isUntouched && this.#table.keepsIndex(index))
      yield* this.#pages(this.#table.find(index, query))
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
      const entry = this.#guard("read the record", key, () => this.#table.readEntry(key))
      if (entry !== undefined && !("error" in entry)) return entry
      return (this.#isUntouched ? this.#careful().read(key) : undefined) ?? entry
    } catch (error) {
      if (!StorageError.is(error, "CORRUPT")) throw error
      return (this.#isUntouched ? this.#careful().read(key) : undefined) ?? { key, error }
    }
  }

  #reader(): RecordTable | CarefulReader {
    return this.#isUntouched ? this.#careful() : this.#table
  }

  #careful(): CarefulReader {
    this.#carefulReader ??= this.#guard(
      "read the records",
      undefined,
      () => new CarefulReader(this.#database, this.#path),
    )
    return this.#carefulReader
  }

  #wasChanged(since: number): boolean {
    if (this.#database.memory) return true
    return ["", "-wal"].some((suffix) => {
      const stats = statSync(this.#path + suffix, { throwIfNoEntry: false })
      return stats !== undefined && stats.mtimeMs >= since
    })
  }

  /** Keeps the declared indexes from now on. They are there already unless nobody has opened the database with them. */
  #keepIndexes(): void {
    if (this.indexes.every((index) => this.#table.keepsIndex(index))) return
    this.#changing(() => this.#table.addIndexes(this.indexes))()
  }

  /** A transaction that changes records, with the indexes that are there at that moment. */
  #changing<Parameters extends unknown[], Result>(
    change: (...parameters: Parameters) => Result,
  ): (...parameters: Parameters) => Result {
    const transaction = this.#database.transaction((...parameters: Parameters) => {
      this.#table.refreshIndexes()
      return change(...parameters)
    })
    return (...parameters) => transaction.immediate(...parameters)
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

function hasLog(database: Database): boolean {
  return database.pragma("journal_mode", { simple: true }) === "wal"
}

async function openFile(
  path: string,
  { untouched, readonly = false, durability = "normal" }: SqliteStorageOptions,
): Promise<OpenedDatabase> {
  if (untouched) {
    return openUntouched(path, (file) => connect(file, { path, readonly: true, durability: "normal" }))
  }
  if (path !== ":memory:") await refuseDamagedLog(path)
  const database = openDatabase({ path, readonly, durability })
  return { database, check: () => checkDatabase(database), close: () => closeDatabase(database, path) }
}
