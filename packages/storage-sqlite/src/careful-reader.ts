import { isWithin, type Span, type TextEntry } from "@sessile/core/storage"
import type { Database } from "better-sqlite3"
import { KEY_INDEX, RecordDirectory } from "./record-directory.js"
import { RecordTable, spanAfter } from "./record-table.js"
import { isDamage } from "./walk-table.js"

/**
 * Reads a database that is only read: by the index of the keys as long as that finds every record, and by walking through
 * the table from the first sign of damage on.
 */
export class CarefulReader {
  readonly #database: Database
  readonly #path: string
  #table: RecordTable | undefined
  #directory: RecordDirectory | undefined

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
    if (isIndexComplete(database)) this.#table = new RecordTable(database, path)
  }

  /** Whether no damage was found so far. */
  get isWhole(): boolean {
    return this.#table !== undefined
  }

  /** The keys of a span, page by page. */
  keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    return (this.#table ?? this.#walked()).keys(span, reverse)
  }

  /** The records of all spans, page by page; a page may hold those of many small spans. */
  *entries(spans: readonly Span[], reverse: boolean): Generator<TextEntry[], void, void> {
    let rest = spans
    try {
      for (const page of this.#table?.entries(spans, reverse) ?? []) {
        yield page
        rest = spansAfter(rest, (page.at(-1) as TextEntry).key, reverse)
      }
    } catch (error) {
      if (!isDamage(error)) throw error
      this.#table = undefined
    }
    if (this.#table === undefined) yield* this.#walked().entries(rest, reverse)
  }

  /** A record, as far as it can be had. */
  read(key: string): TextEntry | undefined {
    return this.#walked().read(key)
  }

  #walked(): RecordDirectory {
    this.#directory ??= new RecordDirectory(this.#database, this.#path)
    return this.#directory
  }
}

/** Whether the index finds each row of the table, and has no more: SQLite does not notice rows that it misses. */
function isIndexComplete(database: Database): boolean {
  const entry = `SELECT 1 FROM records AS entry INDEXED BY ${KEY_INDEX}`
  const stray = `SELECT 1 FROM records AS row NOT INDEXED WHERE typeof(key) <> 'blob' OR length(key) = 0
    OR NOT EXISTS (${entry} WHERE entry.key = row.key AND entry.rowid = row.rowid) LIMIT 1`
  const count = (source: string) => database.prepare(`SELECT count(*) FROM records ${source}`).pluck().get()
  try {
    if (database.prepare(stray).get() !== undefined) return false
    return count(`INDEXED BY ${KEY_INDEX}`) === count("NOT INDEXED")
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

/** What is left of some spans after a key of one of them. */
function spansAfter(spans: readonly Span[], key: string, reverse: boolean): Span[] {
  const position = spans.findIndex((span) => isWithin(span, key))
  const [current, ...later] = spans.slice(Math.max(position, 0)) as [Span, ...Span[]]
  return [spanAfter(current, key, reverse), ...later]
}
