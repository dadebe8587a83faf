import {
  entryRange,
  type IndexDefinition,
  type IndexQuery,
  indexEntries,
  isIndexed,
  keyOfEntry,
  type Span,
  type TextEntry,
  type TextOperation,
} from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"

/** What one page of a scan may hold: enough to be fast, little enough to fit anywhere. */
const PAGE_RECORDS = 500
const PAGE_CHARACTERS = 4 * 1024 * 1024

interface Row {
  readonly key: Buffer
  readonly value: string
}

/** The records and their index entries, through statements that are prepared once. */
export class RecordTable {
  readonly #database: Database
  readonly #indexes: readonly IndexDefinition[]
  readonly #read: Statement
  readonly #write: Statement
  readonly #remove: Statement
  readonly #addEntry: Statement
  readonly #removeEntry: Statement
  readonly #statements = new Map<string, Statement>()

  constructor(database: Database, indexes: readonly IndexDefinition[]) {
    this.#database = database
    this.#indexes = indexes
    this.#read = database.prepare("SELECT value FROM records WHERE key = ?").pluck()
    this.#write = database.prepare(
      "INSERT INTO records (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    )
    this.#remove = database.prepare("DELETE FROM records WHERE key = ?")
    this.#addEntry = database.prepare("INSERT INTO index_entries (entry) VALUES (?) ON CONFLICT DO NOTHING")
    this.#removeEntry = database.prepare("DELETE FROM index_entries WHERE entry = ?")
  }

  read(key: string): string | undefined {
    return this.#read.get(Buffer.from(key)) as string | undefined
  }

  /** Whether a change of this record touches more than its own row, and so needs a transaction. */
  isIndexed(key: string): boolean {
    return isIndexed(this.#indexes, key)
  }

  write(key: string, text: string): void {
    if (this.isIndexed(key)) {
      this.#forget(key)
      for (const entry of this.#entriesOf(key, text)) this.#addEntry.run(entry)
    }
    this.#write.run(Buffer.from(key), text)
  }

  remove(key: string): void {
    if (this.isIndexed(key)) this.#forget(key)
    this.#remove.run(Buffer.from(key))
  }

  apply(operations: readonly TextOperation[]): void {
    for (const operation of operations) {
      if (operation.type === "write") this.write(operation.key, operation.text)
      else this.remove(operation.key)
    }
  }

  /** The keys of a span, page by page: nothing is held open in between. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    let rest: Bounds | undefined = boundsOf(span)
    while (rest !== undefined) {
      const keys = this.#select("key", rest, reverse)
        .pluck()
        .all(...parameters(rest), PAGE_RECORDS) as Buffer[]
      if (keys.length > 0) yield keys.map((key) => key.toString())
      rest = keys.length < PAGE_RECORDS ? undefined : behind(rest, keys.at(-1) as Buffer, reverse)
    }
  }

  /** The records of a span, page by page. */
  *entries(span: Span, reverse: boolean): Generator<TextEntry[], void, void> {
    let rest: Bounds | undefined = boundsOf(span)
    while (rest !== undefined) {
      const rows = page(this.#select("key, value", rest, reverse).iterate(...parameters(rest), PAGE_RECORDS))
      if (rows.length > 0) yield rows.map(({ key, value }) => ({ key: key.toString(), text: value }))
      const last = rows.at(-1)
      rest = last === undefined ? undefined : behind(rest, last.key, reverse)
    }
  }

  /** The records that a query selects, page by page. */
  *find(index: IndexDefinition, query: IndexQuery): Generator<TextEntry[], void, void> {
    const reverse = query.reverse ?? false
    const size = Math.min(PAGE_RECORDS, query.limit ?? PAGE_RECORDS)
    let rest: Bounds | undefined = entryRange(index, query)
    while (rest !== undefined && size > 0) {
      const statement = this.#prepare(
        `SELECT entry FROM index_entries WHERE entry >= ? AND entry < ? ORDER BY entry ${reverse ? "DESC" : "ASC"} LIMIT ?`,
      )
      const entries = statement.pluck().all(rest.gte, rest.lt, size) as Buffer[]
      yield entries.flatMap((entry) => {
        const key = keyOfEntry(index, entry)
        const text = this.read(key)
        return text === undefined ? [] : [{ key, text }]
      })
      rest = entries.length < size ? undefined : behind(rest, entries.at(-1) as Buffer, reverse)
    }
  }

  /** Makes the index entries anew, from the records. */
  rebuildIndexes(): void {
    this.#database.exec("DELETE FROM index_entries")
    for (const { prefix } of this.#indexes) {
      const start = prefix.join("\0")
      for (const entries of this.entries({ gte: start, lt: `${start}\x01` }, false)) {
        for (const entry of entries) if ("text" in entry) this.write(entry.key, entry.text)
      }
    }
  }

  #forget(key: string): void {
    const previous = this.read(key)
    if (previous === undefined) return
    for (const entry of this.#entriesOf(key, previous)) this.#removeEntry.run(entry)
  }

  #entriesOf(key: string, text: string): Buffer[] {
    return indexEntries(this.#indexes, key, text)
  }

  #select(columns: string, { lt }: Bounds, reverse: boolean): Statement {
    const upper = lt === undefined ? "" : "AND key < ?"
    return this.#prepare(
      `SELECT ${columns} FROM records WHERE key >= ? ${upper} ORDER BY key ${reverse ? "DESC" : "ASC"} LIMIT ?`,
    )
  }

  #prepare(sql: string): Statement {
    const statement = this.#statements.get(sql) ?? this.#database.prepare(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

interface Bounds {
  readonly gte: Buffer
  readonly lt: Buffer | undefined
}

function boundsOf({ gte, lt }: Span): Bounds {
  return { gte: Buffer.from(gte), lt: lt === undefined ? undefined : Buffer.from(lt) }
}

function parameters({ gte, lt }: Bounds): Buffer[] {
  return lt === undefined ? [gte] : [gte, lt]
}

/** What is left of the bounds behind a key, in the direction of travel. */
function behind({ gte, lt }: Bounds, key: Buffer, reverse: boolean): Bounds {
  return reverse ? { gte, lt: key } : { gte: Buffer.concat([key, Buffer.of(0)]), lt }
}

function page(rows: Iterable<unknown>): Row[] {
  const taken: Row[] = []
  let characters = 0
  for (const row of rows as Iterable<Row>) {
    taken.push(row)
    characters += row.value.length
    if (characters >= PAGE_CHARACTERS) break
  }
  return taken
}
