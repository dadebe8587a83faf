import {
  checksum,
  compareUtf8,
  decodeKey,
  encodeKey,
  entryRange,
  type IndexDefinition,
  type IndexQuery,
  indexEntries,
  keyOfEntry,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"
import { IndexCatalog, NEWEST_DEFINITION } from "./index-catalog.js"
import { PAGE_RECORDS, Page } from "./page.js"
import {
  BULK_VALUE,
  entryOf,
  entryOfRow,
  RECORD_COLUMNS,
  type RecordRow,
  verifiedText,
} from "./stored-record.js"

/** So many are found at first; then twice as many each time. */
const FIRST_RECORDS = 32

/** So few records are looked up one by one. */
const FEW_KEYS = 8

/** Larger values are not read together with others. */
const LARGE_VALUE = 64 * 1024

/** So many records are added by one statement. */
const ADDED_AT_ONCE = 25

/** A row of values that are given as text or in UTF-8. */
const ROW = "(CAST(? AS BLOB), ?, CAST(? AS TEXT))"
const ROW_VALUES = 3

/** A change of a single record happens only while no index is there that is not known here. */
const IF_CATALOG_IS_CURRENT = `${NEWEST_DEFINITION} IS ?`

/**
 * The records and their index entries, through statements that are prepared once. Keys are bytes in the database
 * and strings here: SQLite converts them faster than buffers can be made.
 */
export class RecordTable {
  readonly #database: Database
  readonly #path: string
  readonly #catalog: IndexCatalog
  readonly #read: Statement
  readonly #readEntry: Statement
  readonly #add: Statement
  readonly #write: Statement
  readonly #writeAlone: Statement
  readonly #remove: Statement
  readonly #removeAlone: Statement
  readonly #addEntry: Statement
  readonly #removeEntry: Statement
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
    this.#catalog = new IndexCatalog(database, path)
    this.#read = database.prepare("SELECT checksum, value FROM records WHERE key = CAST(? AS BLOB)").raw()
    this.#readEntry = database
      .prepare(`SELECT checksum, ${BULK_VALUE} FROM records WHERE key = CAST(? AS BLOB)`)
      .raw()
    this.#add = database.prepare(`INSERT INTO records VALUES ${ROW} ON CONFLICT DO NOTHING`)
    const replace = "ON CONFLICT (key) DO UPDATE SET checksum = excluded.checksum, value = excluded.value"
    this.#write = database.prepare(`INSERT INTO records VALUES (CAST(? AS BLOB), ?, ?) ${replace}`)
    this.#writeAlone = database.prepare(
      `INSERT INTO records SELECT CAST(? AS BLOB), ?, ? WHERE ${IF_CATALOG_IS_CURRENT} ${replace}`,
    )
    this.#remove = database.prepare("DELETE FROM records WHERE key = CAST(? AS BLOB)")
    this.#removeAlone = database.prepare(
      `DELETE FROM records WHERE key = CAST(? AS BLOB) AND ${IF_CATALOG_IS_CURRENT}`,
    )
    this.#addEntry = database.prepare("INSERT INTO index_entries (entry) VALUES (?) ON CONFLICT DO NOTHING")
    this.#removeEntry = database.prepare("DELETE FROM index_entries WHERE entry = ?")
  }

  /**
   * The text under a key.
   *
   * @throws StorageError `CORRUPT` if it does not match its checksum
   */
  read(key: string): string | undefined {
    const row = this.#read.get(key) as [unknown, unknown] | undefined
    if (row === undefined) return undefined
    const text = verifiedText(key, row[0], row[1], this.#path)
    if (typeof text === "string") return text
    throw text
  }

  /** A record, in UTF-8 if it is large, or the error that it does not match its checksum. */
  readEntry(key: string): TextEntry | undefined {
    const row = this.#readEntry.get(key) as [unknown, unknown] | undefined
    return row && entryOf(key, row[0], row[1], this.#path)
  }

  /**
   * What lies between the first and the last of some keys, as far as there are keys; large values are left out. Keys
   * that are asked for together mostly are neighbours in their order, and reading on is cheaper than looking up each.
   */
  neighboursOf(keys: readonly string[]): Map<string, TextEntry> {
    if (keys.length < FEW_KEYS) return new Map()
    const statement = this.#prepare(
      `SELECT ${RECORD_COLUMNS} FROM records
       WHERE key BETWEEN CAST(? AS BLOB) AND CAST(? AS BLOB) AND octet_length(value) <= ${LARGE_VALUE}
       ORDER BY key LIMIT ?`,
    ).raw()
    const found = statement.all(keys[0], keys.at(-1), keys.length) as RecordRow[]
    return new Map(found.map((row) => [row[0] as string, entryOfRow(row, this.#path)]))
  }

  /** Whether a change of this record touches more than its own row, and so needs a transaction. */
  isIndexed(key: string): boolean {
    return this.#catalog.covers(key)
  }

  /** Learns of indexes that others have added. A transaction that changes records begins with it. */
  refreshIndexes(): void {
    this.#catalog.refresh()
  }

  /** Whether the entries of an index are kept. */
  keepsIndex(index: IndexDefinition): boolean {
    return this.#catalog.find(index) !== undefined
  }

  /** Keeps entries of these indexes from now on, beside those of others, in the transaction that the caller has begun. */
  addIndexes(indexes: readonly IndexDefinition[]): void {
    for (const index of this.#catalog.add(indexes)) {
      for (const page of this.entries([spanOf(index)], false)) {
        // An altered record counts as one without fields, so that `find` reaches it and can say so.
        for (const entry of page) this.#addEntries({ text: "", ...entry }, [index])
      }
    }
  }

  /** What is wrong with the entries of the indexes, a sentence for each index. */
  problemsOfIndexes(): string[] {
    return this.#catalog.definitions.flatMap((index) => {
      const { gte, lt } = entryRange(index, {})
      const statement = this.#prepare("SELECT hex(entry) FROM index_entries WHERE entry >= ? AND entry < ?")
      const kept = new Set(statement.pluck().all(gte, lt) as string[])
      const size = kept.size
      let missing = 0
      for (const page of this.entries([spanOf(index)], false)) {
        for (const record of page) {
          if ("error" in record) continue
          for (const entry of indexEntries([index], record.key, record.text)) {
            if (!kept.delete(entry.toString("hex").toUpperCase())) missing++
          }
        }
      }
      if (missing === 0 && kept.size === 0) return []
      return [
        `An index of ${index.prefix.join("/")} is damaged: ${missing} of its ${size} entries are missing or altered`,
      ]
    })
  }

  /** Stores a record, in a transaction that began with {@link refreshIndexes}. */
  write(key: string, text: string): void {
    if (this.isIndexed(key)) {
      this.#forget(key)
      this.#addEntries({ key, text })
    }
    this.#write.run(key, checksum(key, text), text)
  }

  /** Stores a record that no index covers; `false`, and nothing done, if one may, or others have added indexes. */
  writeAlone(key: string, text: string): boolean {
    if (this.isIndexed(key)) return false
    return this.#writeAlone.run(key, checksum(key, text), text, this.#catalog.newestKnown).changes > 0
  }

  /** Adds records whose keys are all free; otherwise fails with an error that {@link isTaken} knows. */
  addAll(records: readonly TextRecord[]): void {
    for (let start = 0; start < records.length; start += ADDED_AT_ONCE) {
      const values: RowValue[] = []
      const end = Math.min(records.length, start + ADDED_AT_ONCE)
      for (let index = start; index < end; index++) addRow(values, records[index] as TextRecord)
      const rows = Array(values.length / ROW_VALUES)
        .fill(ROW)
        .join()
      this.#prepare(`INSERT OR FAIL INTO records VALUES ${rows}`).run(values)
    }
    for (const record of records) this.#addEntries(record)
  }

  /** Adds a record if its key is free; returns what is in the way otherwise. */
  add(record: TextRecord): TextEntry | undefined {
    if (this.#add.run(rowOf(record)).changes === 0) return this.#entryAt(record.key)
    this.#addEntries(record)
    return undefined
  }

  /** Removes a record, in a transaction that began with {@link refreshIndexes}. */
  remove(key: string): void {
    if (this.isIndexed(key)) this.#forget(key)
    this.#remove.run(key)
  }

  /** Removes a record that no index covers; `false`, and nothing done, if one may, or others have added indexes. */
  removeAlone(key: string): boolean {
    if (this.isIndexed(key)) return false
    return this.#removeAlone.run(key, this.#catalog.newestKnown).changes > 0 || !this.#catalog.refresh()
  }

  apply(operations: readonly TextOperation[]): void {
    for (const operation of operations) {
      if (operation.type === "write") this.write(operation.key, operation.text)
      else this.remove(operation.key)
    }
  }

  /** The keys of a span, page by page: nothing is held open in between. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    let rest: Span | undefined = span
    while (rest !== undefined) {
      const keys = this.#select("CAST(key AS TEXT)", rest, reverse)
        .pluck()
        .all(...bounds(rest), PAGE_RECORDS) as string[]
      if (keys.length > 0) yield keys
      const last: string | undefined =
        keys.length < PAGE_RECORDS ? undefined : this.#progress(rest, keys.at(-1) as string)
      rest = last === undefined ? undefined : spanAfter(rest, last, reverse)
    }
  }

  /** The records of all spans, page by page; a page may hold those of many small spans. */
  *entries(spans: readonly Span[], reverse: boolean): Generator<TextEntry[], void, void> {
    let page = new Page()
    for (const span of spans) {
      let rest: Span | undefined = span
      while (rest !== undefined) {
        const last = this.#fill(page, rest, reverse)
        rest = last === undefined ? undefined : spanAfter(rest, last, reverse)
        if (!page.isFull()) continue
        yield page.entries
        page = new Page()
      }
    }
    if (page.entries.length > 0) yield page.entries
  }

  /** The records that a query selects from an index that is kept, page by page. */
  *find(declared: IndexDefinition, query: IndexQuery): Generator<TextEntry[], void, void> {
    const index = this.#catalog.find(declared)
    if (index === undefined) return
    const { reverse, limit = PAGE_RECORDS } = query
    // Most who look want the first few, and do not always say so.
    let size = Math.min(FIRST_RECORDS, limit)
    const statement = this.#prepare(
      `SELECT entry FROM index_entries WHERE entry >= ? AND entry < ? ORDER BY entry ${reverse ? "DESC" : "ASC"} LIMIT ?`,
    ).pluck()
    let { gte, lt } = entryRange(index, query)
    for (;;) {
      // Of one moment: a record that is not there then was lost.
      const { entries, found } = this.#database.transaction(() => {
        const entries = statement.all(gte, lt, size) as Buffer[]
        return { entries, found: entries.map((entry) => this.#indexed(this.#keyIn(index, entry))) }
      })()
      yield found
      const last = entries.at(-1)
      if (last === undefined || entries.length < size) return
      size = Math.min(2 * size, PAGE_RECORDS)
      if (reverse) lt = last
      else gte = Buffer.concat([last, Buffer.of(0)])
    }
  }

  /** Adds records of a span to a page; returns the last key when there was no room for more. */
  #fill(page: Page, span: Span, reverse: boolean): string | undefined {
    const statement = this.#select(RECORD_COLUMNS, span, reverse).raw()
    for (const row of statement.iterate(...bounds(span), PAGE_RECORDS) as Iterable<RecordRow>) {
      const entry = entryOfRow(row, this.#path)
      page.add(entry)
      if (page.isFull()) return this.#progress(span, entry.key)
    }
    return undefined
  }

  // Whoever goes on behind a key that is not where it belongs could go round in circles.
  #progress({ gte, lt }: Span, key: string): string {
    if (compareUtf8(key, gte) >= 0 && (lt === undefined || compareUtf8(key, lt) < 0)) return key
    const message = "The index of the keys is damaged; restore a backup, or convert the store into a new one"
    throw new StorageError("CORRUPT", message, { path: this.#path })
  }

  #keyIn(index: IndexDefinition, entry: unknown): string {
    if (Buffer.isBuffer(entry)) return keyOfEntry(index, entry)
    throw new StorageError("CORRUPT", "An entry of an index is damaged; restore a backup", {
      path: this.#path,
    })
  }

  #indexed(key: string): TextEntry {
    const message = "An index knows the record, and it is not there: the database is damaged"
    const lost = () => new StorageError("CORRUPT", message, { key: decodeKey(key), path: this.#path })
    return this.#entryAt(key) ?? { key, error: lost() }
  }

  #entryAt(key: string): TextEntry | undefined {
    const row = this.#read.get(key) as [unknown, unknown] | undefined
    return row && entryOf(key, row[0], row[1], this.#path)
  }

  #addEntries(record: TextRecord, indexes = this.#catalog.definitions): void {
    if (!this.isIndexed(record.key)) return
    for (const entry of indexEntries(indexes, record.key, record.text)) this.#addEntry.run(entry)
  }

  #forget(key: string): void {
    const previous = this.#entryAt(key)
    if (previous === undefined) return
    const entries = "error" in previous ? this.#entriesOfAltered(key) : this.#entriesOf(key, previous.text)
    for (const entry of entries) this.#removeEntry.run(entry)
  }

  #entriesOf(key: string, text: string): Buffer[] {
    return indexEntries(this.#catalog.definitions, key, text)
  }

  // What it was stored with is not known any more.
  #entriesOfAltered(key: string): Buffer[] {
    const statement = this.#prepare("SELECT entry FROM index_entries WHERE entry >= ? AND entry < ?").pluck()
    return this.#catalog.definitions.flatMap((index) => {
      const { gte, lt } = entryRange(index, {})
      return (statement.all(gte, lt) as Buffer[]).filter((entry) => this.#keyIn(index, entry) === key)
    })
  }

  #select(columns: string, { lt }: Span, reverse: boolean): Statement {
    const upper = lt === undefined ? "" : "AND key < CAST(? AS BLOB)"
    return this.#prepare(
      `SELECT ${columns} FROM records WHERE key >= CAST(? AS BLOB) ${upper} ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT ?`,
    )
  }

  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

type RowValue = string | number | Uint8Array

function rowOf(record: TextRecord): RowValue[] {
  const values: RowValue[] = []
  addRow(values, record)
  return values
}

function addRow(values: RowValue[], record: TextRecord): void {
  const value = record.utf8 ?? record.text
  values.push(record.key, checksum(record.key, value), value)
}

/** Whether a record could not be added because its key is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_CONSTRAINT_PRIMARYKEY"
}

/** Where the records lie that an index may cover. */
function spanOf({ prefix }: IndexDefinition): Span {
  const start = encodeKey(prefix)
  return prefix.length === 0 ? { gte: "", lt: undefined } : { gte: `${start}\0`, lt: `${start}\x01` }
}

function bounds({ gte, lt }: Span): string[] {
  return lt === undefined ? [gte] : [gte, lt]
}

/** What is left of a span after a key, in the direction of travel. */
export function spanAfter({ gte, lt }: Span, key: string, reverse: boolean): Span {
  return reverse ? { gte, lt: key } : { gte: `${key}\0`, lt }
}
