import { statSync } from "node:fs"
import { dirname, join, resolve } from "node:path"
import {
  AbstractStorage,
  type Capabilities,
  checkOptions,
  decodeKey,
  encodeKey,
  type FittedRecord,
  isInShare,
  type LinesDigest,
  type Selection,
  type SessionLines,
  type SessionOutcome,
  type Share,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import { refuseDamagedLog, sqliteFault, syncLog } from "@sessile/storage-sqlite/sqlite"
import type { Database } from "better-sqlite3"
import { backUp, backupPath } from "./backup.js"
import { byPlace, isRow } from "./by-place.js"
import { intersection, type Section, sections } from "./key-space.js"
import type { LineReceipt } from "./line-receipt.js"
import { ATTEMPT_MILLISECONDS, LockWait, withTimeout } from "./lock-wait.js"
import {
  createDatabase,
  imagineDatabase,
  type OpenDatabase,
  openDatabase,
  openDatabaseForReading,
} from "./open-database.js"
import { MARKER, RecordFiles } from "./record-files.js"
import { kindName, ROW_TIMES, sessionKinds } from "./record-kind.js"
import { RowRecords } from "./row-records.js"
import type { Loss } from "./salvage.js"
import type { OpencodeSchema } from "./schema.js"

/** How to open an {@link OpencodeStorage}. */
export interface OpencodeStorageOptions {
  /** The database; `opencodePaths().database` is the one that opencode opens. */
  readonly path: string
  /** Read the database as it is now: nothing is changed or made, not even beside it. */
  readonly readonly?: boolean | undefined
  /**
   * Make the database where there is none. With `readonly` nothing is made, and the store is as it would be then.
   * Off by default.
   */
  readonly create?: boolean | undefined
  /** Gives the time in milliseconds for the names of backups; the system's by default. */
  readonly clock?: (() => number) | undefined
  /**
   * Called again and again while opencode or another program is writing and this store has to wait, with the milliseconds
   * so far. After a minute it ends with `LOCKED`.
   */
  readonly onLockWait?: ((waited: number) => void) | undefined
}

/** What one page of a scan may hold, and how much of it is read at once. */
const PAGE_RECORDS = 500
const PAGE_CHARACTERS = 4 * 1024 * 1024
const READ_AHEAD = 16

/**
 * opencode's own database, releases 1.2 to 1.18, with records named as in opencode's JSON files. What has no table
 * there, `session_diff` above all, is in JSON files in the folder `storage` beside the database.
 *
 * The tables do not have a column for every field: {@link fit} tells what becomes of a record. Adding changes no
 * row that is there, and replacing one keeps what belongs to it.
 *
 * @example
 * ```ts
 * await using storage = await OpencodeStorage.open({ path: opencodePaths().database, readonly: true })
 * for await (const { value } of storage.scan(["session"])) console.log(value)
 * ```
 */
export class OpencodeStorage extends AbstractStorage {
  readonly capabilities: Capabilities = {
    durable: true,
    // Records without a table are written one by one.
    atomicBatch: false,
    multiProcess: true,
    snapshots: false,
    checksums: false,
  }
  readonly sessionKinds = sessionKinds
  /** What was found in the database, and what was not understood. */
  readonly schema: OpencodeSchema
  readonly #path: string
  readonly #clock: () => number
  readonly #database: Database
  readonly #check: OpenDatabase["check"]
  readonly #release: () => void
  readonly #rows: RowRecords
  readonly #files: RecordFiles
  readonly #losses: readonly Loss[]
  readonly #lockWait: LockWait

  private constructor(
    opened: OpenDatabase,
    path: string,
    { readonly, clock = Date.now }: OpencodeStorageOptions,
    lockWait: LockWait,
  ) {
    // What is in files has locks of its own.
    super({ readonly, indent: 2, isSynchronous: true })
    this.schema = opened.schema
    this.#path = path
    this.#clock = clock
    this.#database = opened.database
    this.#check = opened.check
    this.#release = opened.close
    this.#rows = new RowRecords(opened, path)
    this.#files = new RecordFiles(join(dirname(path), "storage"))
    this.#losses = opened.losses ?? []
    this.#lockWait = lockWait
  }

  /**
   * Opens a database.
   *
   * @throws StorageError `NOT_FOUND` for a missing file, `INVALID_ARGUMENT` for bad options or another program's
   * database, `UNSUPPORTED` for one of opencode 2.x without records of 1.x, `LOCKED` if another program holds it
   * for a minute, `CORRUPT`, `DENIED`, `READONLY`, `FULL`
   */
  static async open(options: OpencodeStorageOptions): Promise<OpencodeStorage> {
    checkOptions("OpencodeStorage", options, {
      path: "string",
      readonly: "boolean?",
      create: "boolean?",
      clock: "function?",
      onLockWait: "function?",
    })
    const path = resolve(options.path)
    const lockWait = new LockWait({ path, onWait: options.onLockWait })
    return new OpencodeStorage(await openAt(path, options, lockWait), path, options, lockWait)
  }

  /**
   * What the database would give back for a record, or why it has no place for it; `undefined` for a record that is kept
   * in a file, as it is.
   */
  fit(record: TextRecord): FittedRecord | undefined {
    if (record.key === MARKER.key) return { text: record.text, lost: [] }
    return isRow(record) ? this.#rows.fit(record) : undefined
  }

  /**
   * A project without the time at which it was used last, which opencode notes; nothing of the times of rows, since
   * rows that were there keep theirs, nor of the marker of the JSON layout, which says nothing about a database;
   * `undefined` for any other record, which is as it is.
   */
  settle(record: TextRecord): string | undefined {
    const kind = kindName(record.key)
    if (kind === ROW_TIMES || record.key === MARKER.key) return ""
    if (kind !== "project") return undefined
    const { time, ...project } = JSON.parse(record.text) as { time?: Record<string, unknown> }
    return JSON.stringify({ ...project, time: { ...time, updated: undefined } })
  }

  /** What `addTexts` would give, without adding anything; what earlier calls would have added counts as there. */
  rehearseTexts(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    return byPlace(
      records,
      (rows) => this.#rows.rehearse(rows),
      (files) => this.#files.read(files.map(({ key }) => key)),
    )
  }

  fitLines(lines: SessionLines): ReadonlySet<number> {
    return this.#rows.fitLines(lines)
  }

  async addSession(
    records: readonly TextRecord[],
    lines: SessionLines,
    unfit: ReadonlySet<number>,
  ): Promise<SessionOutcome> {
    this.#assertOpen()
    this.#assertWritable()
    const rows = records.filter(isRow)
    const added = await this.#change(() => this.#rows.addSession(rows, lines, unfit))
    const present = await byPlace(
      records,
      () => added.records,
      (files) => this.addTexts(files),
    )
    return { ...added, records: present }
  }

  async digestLines(receipt: string): Promise<LinesDigest> {
    this.#assertOpen()
    return this.#rows.digestLines(JSON.parse(receipt) as LineReceipt)
  }

  /**
   * Copies the database, as it is at this moment, to a file beside it that is named after the time, and checks the
   * copy. Others may go on using the database meanwhile.
   *
   * @returns the path of the copy
   * @throws StorageError `CORRUPT` when the copy is damaged, `FULL`, `DENIED`
   */
  async backup(): Promise<string> {
    this.#assertOpen()
    const path = backupPath(this.#path, this.#clock())
    try {
      await backUp(this.#database, path, this.#path)
      return path
    } catch (error) {
      throw sqliteFault("back up the database", error, path)
    }
  }

  protected async _read(key: string): Promise<string | undefined> {
    const [entry] = await this._readMany([key])
    if (entry === undefined) return undefined
    if ("error" in entry) throw entry.error
    return entry.text
  }

  protected override _readMany(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]> {
    return byPlace(
      keys.map((key) => ({ key })),
      (rows) => this.#rows.readMany(rows.map(({ key }) => key)),
      (files) => this.#files.read(files.map(({ key }) => key)),
    )
  }

  protected async _write(key: string, text: string): Promise<void> {
    await this._batch([{ type: "write", key, text }])
  }

  protected async _remove(key: string): Promise<void> {
    await this._batch([{ type: "remove", key }])
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    this.#assertWritable()
    if (isRow({ key })) await this.#change(() => this.#rows.update(key, change))
    else await this.#files.update(decodeKey(key), change)
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    this.#assertWritable()
    const ofRows = operations.filter(isRow)
    if (ofRows.length > 0) await this.#change(() => this.#rows.apply(ofRows))
    await this.#files.apply(operations.filter((operation) => !isRow(operation)))
  }

  protected override async _add(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    this.#assertWritable()
    return byPlace(
      records,
      (rows) => this.#change(() => this.#rows.add(rows)),
      (files) => this.#files.add(files),
    )
  }

  protected _keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    return this.#keysIn(sections, span, reverse)
  }

  protected override async *_entries(selection: Selection): AsyncGenerator<TextEntry[], void, void> {
    const { changedSince } = selection
    if (changedSince === undefined) return yield* this.#entriesIn(sections, selection)
    if (!this.#wasChanged(changedSince)) {
      return yield* this.#entriesIn(
        sections.filter(({ isInDatabase }) => !isInDatabase),
        selection,
      )
    }
    // What leaves no trace is read from a copy, which shows no change: it takes another look.
    await using now = await OpencodeStorage.open({ path: this.#path, readonly: true })
    yield* now.#entriesIn(sections, selection)
  }

  /** What is wrong with the database: damaged pages, rows that belong to nothing. */
  protected override async _check(): Promise<readonly string[]> {
    try {
      return [...(await this.#check()), ...this.#losses.map(({ reason }) => reason)]
    } catch (error) {
      throw sqliteFault("check the database", error, this.#path)
    }
  }

  protected override async _flush(): Promise<void> {
    if (!this.#database.readonly && !this.#database.memory) await syncLog(this.#path)
    await this.#files.flush()
  }

  protected override _locate(key: string): string | undefined {
    return isRow({ key }) ? this.#path : undefined
  }

  protected override async _close(): Promise<void> {
    this.#release()
    await this.#files.close()
  }

  /** Runs a transaction as soon as no other program is writing. */
  #change<T>(transaction: () => T): Promise<T> {
    return this.#lockWait.run(() => withTimeout(this.#database, ATTEMPT_MILLISECONDS, transaction))
  }

  async *#keysIn(
    places: readonly Section[],
    span: Span,
    reverse: boolean,
  ): AsyncGenerator<string[], void, void> {
    for (const section of reverse ? places.toReversed() : places) {
      const common = intersection(section.span, span)
      if (common !== undefined) yield* (section.isInDatabase ? this.#rows : this.#files).keys(common, reverse)
    }
  }

  async *#entriesIn(
    places: readonly Section[],
    { spans, reverse, share = { index: 0, count: 1 } }: Selection,
  ): AsyncGenerator<TextEntry[], void, void> {
    let page: TextEntry[] = []
    let characters = 0
    for (const span of spans) {
      page.push(...this.#lossesIn(places, span, share))
      for await (const keys of this.#keysIn(places, span, reverse)) {
        const wanted = keys.filter((key) => isInShare(share, key))
        for (let start = 0; start < wanted.length; start += READ_AHEAD) {
          const read = await this._readMany(wanted.slice(start, start + READ_AHEAD))
          const entries = read.filter((entry) => entry !== undefined)
          page.push(...entries)
          for (const entry of entries) characters += "text" in entry ? entry.text.length : 0
          if (characters < PAGE_CHARACTERS && page.length < PAGE_RECORDS) continue
          yield page
          page = []
          characters = 0
        }
      }
    }
    yield page
  }

  /** What is lost of the kinds that a span holds as a whole, as entries of their own: nobody knows their keys. */
  #lossesIn(places: readonly Section[], span: Span, share: Share): TextEntry[] {
    const isWhole = (kind: string) =>
      places.some(({ span: own }) => {
        const common = own.gte === kind ? intersection(own, span) : undefined
        return common?.lt === own.lt && common?.gte.replace("\0", "") === own.gte
      })
    return this.#losses
      .map(({ kind, rows, reason }) => ({ kind, reason, key: encodeKey([kind, rows]) }))
      .filter(({ kind, key }) => isWhole(kind) && isInShare(share, key))
      .map(({ key, reason }) => {
        const error = new StorageError("CORRUPT", reason, { key: decodeKey(key), path: this.#path })
        return { key, error }
      })
  }

  #wasChanged(since: number): boolean {
    return ["", "-wal"].some((suffix) => {
      const found = statSync(this.#path + suffix, { throwIfNoEntry: false })
      return found !== undefined && found.mtimeMs >= since
    })
  }

  #assertOpen(): void {
    if (!this.#database.open)
      throw new StorageError("CLOSED", "The store is closed; open it again to use it", { path: this.#path })
  }

  #assertWritable(): void {
    const { obstacle } = this.schema
    if (obstacle !== undefined) throw new StorageError("UNSUPPORTED", obstacle, { path: this.#path })
  }
}

async function openAt(
  path: string,
  { readonly = false, create = false, clock = Date.now }: OpencodeStorageOptions,
  lockWait: LockWait,
): Promise<OpenDatabase> {
  if (readonly) return create ? imagineDatabase(path, clock()) : openDatabaseForReading(path)
  await refuseDamagedLog(path)
  if (create) await lockWait.run(() => createDatabase(path, clock()))
  return lockWait.run(() => openDatabase(path))
}
