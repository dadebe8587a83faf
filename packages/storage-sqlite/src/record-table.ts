import {
  encodeKey,
  entryRange,
  type IndexDefinition,
  type IndexQuery,
  indexEntries,
  keyOfEntry,
  type Span,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"

/** What one page of a scan may hold: enough to be fast, little enough to fit anywhere. */
const PAGE_RECORDS = 500
const PAGE_CHARACTERS = 4 * 1024 * 1024

/** So many are found at first; then twice as many each time. */
const FIRST_RECORDS = 32

/** So few records are looked up one by one. */
const FEW_KEYS = 8

/** Larger values are not read together with others. */
const LARGE_VALUE = 64 * 1024

/** So many records are added by one statement. */
const ADDED_AT_ONCE = 25

/** A row of values that are given as text or in UTF-8. */
const ROW = "(CAST(? AS BLOB), CAST(? AS TEXT))"

type Row = readonly [key: string, value: string]

/**
 * The records and their index entries, through statements that are prepared once. Keys are bytes in the database
 * and strings here: SQLite converts them faster than buffers can be made.
 */
export class RecordTable {
  readonly #database: Database
  readonly #indexes: readonly IndexDefinition[]
  readonly #indexedStarts: readonly string[]
  readonly #read: Statement
  readonly #readUtf8: Statement
  readonly #add: Statement
  readonly #write: Statement
  readonly #remove: Statement
  readonly #addEntry: Statement
  readonly #removeEntry: Statement
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database, indexes: readonly IndexDefinition[]) {
    this.#database = database
    this.#indexes = indexes
    this.#indexedStarts = indexes.map(({ prefix }) => (prefix.length === 0 ? "" : `${encodeKey(prefix)}\0`))
    this.#read = database.prepare("SELECT value FROM records WHERE key = CAST(? AS BLOB)").pluck()
    this.#readUtf8 = database
      .prepare("SELECT CAST(value AS BLOB) FROM records WHERE key = CAST(? AS BLOB)")
      .pluck()
    this.#add = database.prepare(`INSERT INTO records VALUES ${ROW} ON CONFLICT DO NOTHING`)
    this.#write = database.prepare(
      "INSERT INTO records VALUES (CAST(? AS BLOB), ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    this.#remove = database.prepare("DELETE FROM records WHERE key = CAST(? AS BLOB)")
    this.#addEntry = database.prepare("INSERT INTO index_entries (entry) VALUES (?) ON CONFLICT DO NOTHING")
    this.#removeEntry = database.prepare("DELETE FROM index_entries WHERE entry = ?")
  }

  read(key: string): string | undefined {
    return this.#read.get(key) as string | undefined
  }

  /** The same in UTF-8: the string of a large value would take another copy of it, and hashing that one more. */
  readUtf8(key: string): Buffer | undefined {
    return this.#readUtf8.get(key) as Buffer | undefined
  }

  /**
   * What lies between the first and the last of some keys, as far as there are keys; large values are left out. Keys
   * that are asked for together mostly are neighbours in their order, and reading on is cheaper than looking up each.
   */
  neighboursOf(keys: readonly string[]): Map<string, TextRecord> {
    if (keys.length < FEW_KEYS) return new Map()
    const statement = this.#prepare(
      `SELECT CAST(key AS TEXT), value FROM records
       WHERE key BETWEEN CAST(? AS BLOB) AND CAST(? AS BLOB) AND octet_length(value) <= ${LARGE_VALUE}
       ORDER BY key LIMIT ?`,
    ).raw()
    const found = statement.all(keys[0], keys.at(-1), keys.length) as Row[]
    return new Map(found.map(([key, text]) => [key, { key, text }]))
  }

  /** Whether a change of this record touches more than its own row, and so needs a transaction. */
  isIndexed(key: string): boolean {
    return this.#indexedStarts.some((start) => key.startsWith(start))
  }

  write(key: string, text: string): void {
    if (this.isIndexed(key)) {
      this.#forget(key)
      for (const entry of this.#entriesOf(key, text)) this.#addEntry.run(entry)
    }
    this.#write.run(key, text)
  }

  /** Adds records whose keys are all free; otherwise fails with an error that {@link isTaken} knows. */
  addAll(records: readonly TextRecord[]): void {
    for (let start = 0; start < records.length; start += ADDED_AT_ONCE) {
      const values: (string | Uint8Array)[] = []
      for (const record of records.slice(start, start + ADDED_AT_ONCE)) values.push(...rowOf(record))
      const rows = Array(values.length / 2)
        .fill(ROW)
        .join()
      this.#prepare(`INSERT OR FAIL INTO records VALUES ${rows}`).run(values)
    }
    for (const record of records) this.#addEntries(record)
  }

  /** Adds a record if its key is free; gives the text that is in the way otherwise. */
  add(record: TextRecord): string | undefined {
    if (this.#add.run(rowOf(record)).changes === 0) return this.read(record.key)
    this.#addEntries(record)
    return undefined
  }

  remove(key: string): void {
    if (this.isIndexed(key)) this.#forget(key)
    this.#remove.run(key)
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
      rest = keys.length < PAGE_RECORDS ? undefined : behind(rest, keys.at(-1) as string, reverse)
    }
  }

  /** The records of all spans, page by page; a page may hold those of many small spans. */
  *entries(spans: readonly Span[], reverse: boolean): Generator<TextEntry[], void, void> {
    let page = new Page()
    for (const span of spans) {
      let rest: Span | undefined = span
      while (rest !== undefined) {
        const last = this.#fill(page, rest, reverse)
        rest = last === undefined ? undefined : behind(rest, last, reverse)
        if (!page.isFull()) continue
        yield page.entries
        page = new Page()
      }
    }
    if (page.entries.length > 0) yield page.entries
  }

  /** The records that a query selects, page by page. */
  *find(index: IndexDefinition, query: IndexQuery): Generator<TextEntry[], void, void> {
    const { reverse, limit = PAGE_RECORDS } = query
    // Most who look want the first few, and do not always say so.
    let size = Math.min(FIRST_RECORDS, limit)
    const statement = this.#prepare(
      `SELECT entry FROM index_entries WHERE entry >= ? AND entry < ? ORDER BY entry ${reverse ? "DESC" : "ASC"} LIMIT ?`,
    ).pluck()
    let { gte, lt } = entryRange(index, query)
    for (;;) {
      const entries = statement.all(gte, lt, size) as Buffer[]
      yield entries.flatMap((entry) => {
        const key = keyOfEntry(index, entry)
        const text = this.read(key)
        return text === undefined ? [] : [{ key, text }]
      })
      const last = entries.at(-1)
      if (last === undefined || entries.length < size) return
      size = Math.min(2 * size, PAGE_RECORDS)
      if (reverse) lt = last
      else gte = Buffer.concat([last, Buffer.of(0)])
    }
  }

  /** Makes the index entries anew, from the records. */
  rebuildIndexes(): void {
    this.#database.exec("DELETE FROM index_entries")
    for (const { prefix } of this.#indexes) {
      const start = prefix.join("\0")
      for (const entries of this.entries([{ gte: start, lt: `${start}\x01` }], false)) {
        for (const entry of entries) if ("text" in entry) this.write(entry.key, entry.text)
      }
    }
  }

  /** Adds records of a span to a page; gives the last key when there was no room for more. */
  #fill(page: Page, span: Span, reverse: boolean): string | undefined {
    const statement = this.#select("CAST(key AS TEXT), value", span, reverse).raw()
    for (const [key, text] of statement.iterate(...bounds(span), PAGE_RECORDS) as Iterable<Row>) {
      page.add(key, text)
      if (page.isFull()) return key
    }
    return undefined
  }

  #addEntries(record: TextRecord): void {
    if (!this.isIndexed(record.key)) return
    for (const entry of this.#entriesOf(record.key, record.text)) this.#addEntry.run(entry)
  }

  #forget(key: string): void {
    const previous = this.read(key)
    if (previous === undefined) return
    for (const entry of this.#entriesOf(key, previous)) this.#removeEntry.run(entry)
  }

  #entriesOf(key: string, text: string): Buffer[] {
    return indexEntries(this.#indexes, key, text)
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

function rowOf(record: TextRecord): [key: string, value: string | Uint8Array] {
  return [record.key, record.utf8 ?? record.text]
}

/** Whether a record could not be added because its key is taken. */
export function isTaken(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "SQLITE_CONSTRAINT_PRIMARYKEY"
}

function bounds({ gte, lt }: Span): string[] {
  return lt === undefined ? [gte] : [gte, lt]
}

/** What is left of a span behind a key, in the direction of travel. */
function behind({ gte, lt }: Span, key: string, reverse: boolean): Span {
  return reverse ? { gte, lt: key } : { gte: `${key}\0`, lt }
}

/** Records that are handed over together. */
class Page {
  readonly entries: TextEntry[] = []
  #characters = 0

  add(key: string, text: string): void {
    this.entries.push({ key, text })
    this.#characters += text.length
  }

  isFull(): boolean {
    return this.entries.length >= PAGE_RECORDS || this.#characters >= PAGE_CHARACTERS
  }
}
