import {
  checksum,
  compareUtf8,
  decodeKey,
  type Span,
  StorageError,
  type TextEntry,
} from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"
import { PAGE_RECORDS, Page } from "./page.js"
import { BULK_COLUMNS, entryOf, type RecordRow } from "./stored-record.js"
import { isDamage, walkTable } from "./walk-table.js"

/** The index of the keys, which SQLite makes for their uniqueness. */
export const KEY_INDEX = "sqlite_autoindex_records_1"

/**
 * The records of a database that is only read, found by walking through their table instead of by the index of their
 * keys: a damaged index hides none of them, and a damaged page takes none along that lies elsewhere. A record that the
 * index knows and the table has lost comes as one that cannot be read.
 */
export class RecordDirectory {
  readonly #database: Database
  readonly #path: string
  readonly #select: Statement
  /** The numbers of the rows. */
  readonly #rows = new Map<string, number>()
  readonly #lost = new Set<string>()
  readonly #keys: readonly string[]
  #outOfPlace: ReadonlyMap<number, RecordRow> | undefined

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
    this.#select = database.prepare(`SELECT ${BULK_COLUMNS} FROM records WHERE rowid = ?`).raw()
    if (!this.#isWhole()) this.#consultIndex()
    this.#keys = sorted([...this.#rows.keys()])
  }

  /** The keys of a span, page by page. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    const keys = this.#within(span, reverse)
    for (let start = 0; start < keys.length; start += PAGE_RECORDS)
      yield keys.slice(start, start + PAGE_RECORDS)
  }

  /** The records of all spans, page by page; a page may hold those of many small spans. */
  *entries(spans: readonly Span[], reverse: boolean): Generator<TextEntry[], void, void> {
    let page = new Page()
    for (const span of spans) {
      for (const key of this.#within(span, reverse)) {
        const entry = this.read(key)
        if (entry !== undefined) page.add(entry)
        if (!page.isFull()) continue
        yield page.entries
        page = new Page()
      }
    }
    if (page.entries.length > 0) yield page.entries
  }

  /** A record, as far as it can be had. */
  read(key: string): TextEntry | undefined {
    const number = this.#rows.get(key)
    if (number === undefined) return undefined
    const row = this.#lost.has(key) ? undefined : (this.#rowAt(number) ?? this.#rowsOutOfPlace().get(number))
    if (row === "damaged" || this.#lost.has(key)) return { key, error: this.#damagedRecord(key) }
    if (row === undefined) return undefined
    const entry = entryOf(key, row[1], row[2], this.#path)
    // Whoever uses the database may have removed the record since, and put another one there.
    return "error" in entry && row[0] !== key ? undefined : entry
  }

  /** Walks through the table; `false` if anything suggests that it is damaged, or its index. */
  #isWhole(): boolean {
    let visited = 0
    const visit = ([number, key]: readonly unknown[]) => {
      visited++
      if (typeof key === "string" && key !== "") this.#rows.set(key, number as number)
    }
    const unread = walkTable(this.#database, { table: "records", columns: "CAST(key AS TEXT)", visit })
    return unread.length === 0 && visited === this.#rows.size && this.#countOfIndex() === visited
  }

  #countOfIndex(): number | undefined {
    const count = `SELECT count(*) FROM records INDEXED BY ${KEY_INDEX}`
    return untilDamage(() => this.#database.prepare(count).pluck().get() as number)
  }

  /** Finds the records that the table has lost, and those whose keys were altered there. */
  #consultIndex(): void {
    const known: [key: string, number: number][] = []
    untilDamage(() => {
      const select = `SELECT CAST(key AS TEXT), rowid FROM records INDEXED BY ${KEY_INDEX}`
      for (const row of this.#database.prepare(select).raw().iterate()) known.push(row as [string, number])
    })
    for (const [key, number] of known) {
      if (this.#rows.has(key) || typeof key !== "string") continue
      const row = this.#rowAt(number)
      if (row === undefined || row === "damaged") this.#lost.add(key)
      else if (!isSound(key, row)) {
        // The row is as it was stored: it is the index that was altered.
        if (isSound(row[0], row)) continue
        this.#lost.add(key)
      }
      if (row !== undefined && row !== "damaged") this.#rows.delete(row[0] as string)
      this.#rows.set(key, number)
    }
  }

  /** The rows that are in the table, but where SQLite does not look for their numbers. */
  #rowsOutOfPlace(): ReadonlyMap<number, RecordRow> {
    if (this.#outOfPlace !== undefined) return this.#outOfPlace
    const found = new Map<number, RecordRow>()
    const missing = new Set([...this.#rows.values()].filter((number) => this.#rowAt(number) === undefined))
    const visit = ([number, ...row]: readonly unknown[]) => {
      if (missing.has(number as number)) found.set(number as number, row as unknown as RecordRow)
    }
    walkTable(this.#database, { table: "records", columns: BULK_COLUMNS, visit })
    this.#outOfPlace = found
    return found
  }

  #rowAt(number: number): RecordRow | "damaged" | undefined {
    try {
      return this.#select.get(number) as RecordRow | undefined
    } catch (error) {
      if (isDamage(error)) return "damaged"
      throw error
    }
  }

  #damagedRecord(key: string): StorageError {
    const message = "The record is lost: the page of the database that it was on is damaged"
    return new StorageError("CORRUPT", message, { key: decodeKey(key), path: this.#path })
  }

  #within({ gte, lt }: Span, reverse: boolean): string[] {
    const end = lt === undefined ? this.#keys.length : this.#position(lt)
    const keys = this.#keys.slice(this.#position(gte), end)
    return reverse ? keys.reverse() : keys
  }

  /** How many keys sort before this one. */
  #position(key: string): number {
    let low = 0
    let high = this.#keys.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareUtf8(this.#keys[middle] as string, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}

function isSound(key: unknown, [, sum, value]: RecordRow): boolean {
  const hasText = typeof value === "string" || Buffer.isBuffer(value)
  return typeof key === "string" && hasText && checksum(key, value) === sum
}

function untilDamage<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isDamage(error)) return undefined
    throw error
  }
}

/** The engine's own order is faster, and the same below the characters that UTF-16 puts elsewhere. */
function sorted(keys: string[]): string[] {
  return keys.some((key) => /[\ud800-\uffff]/.test(key)) ? keys.sort(compareUtf8) : keys.sort()
}
