import {
  encodeKey,
  FILLED_FIELDS,
  type Key,
  type Span,
  StorageError,
  type TextEntry,
} from "@sessile/core/storage"
import SqliteDatabase, { type Database, type Statement } from "better-sqlite3"
import type { Row, SqlValue } from "./column.js"
import { columnBound } from "./key-space.js"
import type { RowRun } from "./line-receipt.js"
import type { RecordKind } from "./record-kind.js"
import type { RowRecord } from "./row-record.js"

const PAGE_KEYS = 500

/** A row as the database has written it out. */
interface WrittenRow {
  readonly owner: string
  readonly text?: string
}

/** One table with records, through statements that are prepared once. */
export class RowTable {
  readonly kind: RecordKind
  readonly #database: Database
  readonly #columns: ReadonlySet<string>
  /** The columns of this database that records fill. */
  readonly #filled: readonly string[]
  readonly #statements = new Map<string, Statement<SqlValue[]>>()
  readonly #insertSql: string
  /** The same for a row whose body is given without its first brace. */
  readonly #insertBodySql: string
  #insertBody: Statement<SqlValue[]> | undefined
  readonly #selectSql: string
  readonly #selectTextsSql: string
  readonly #selectLineSql: string
  readonly #selectLinesSql: string

  constructor(database: Database, kind: RecordKind, columns: ReadonlySet<string>) {
    this.#database = database
    this.kind = kind
    this.#columns = columns
    this.#filled = [...new Set([...kind.keyColumns, ...kind.columns])].filter((name) => columns.has(name))
    const names = this.#filled.join(", ")
    const places = this.#filled.map(() => "?").join(", ")
    const id = kind.keyColumns.at(-1)
    const unique = kind.isList ? `${id}, position` : id
    const insert = (values: string) =>
      `INSERT INTO ${kind.name} (${names}) VALUES (${values}) ON CONFLICT (${unique}) DO NOTHING`
    this.#insertSql = insert(places)
    this.#insertBodySql = insert(
      this.#filled.map((name) => (name === "data" ? "CAST(? AS TEXT)" : "?")).join(),
    )
    const isWanted = `${id} IN (SELECT value FROM json_each(?))`
    const order = kind.isList ? " ORDER BY position" : ""
    this.#selectSql = `SELECT ${names} FROM ${kind.name} WHERE ${isWanted}${order}`
    this.#selectTextsSql = `SELECT ${kind.keyColumns}, ${textSql(kind)} FROM ${kind.name} WHERE ${isWanted}`
    // Rows come in the order of their numbers, for SQLite walks along these.
    const inOrder = `${kind.name} WHERE rowid BETWEEN ? AND ?`
    this.#selectLineSql = `SELECT CAST(${lineHeadSql(kind)} AS BLOB), CAST(data AS BLOB) FROM ${kind.name} WHERE rowid = ?`
    this.#selectLinesSql = `SELECT CAST(group_concat(${lineSql(kind)}, '') AS BLOB) FROM ${inOrder}`
  }

  /** Whether a key is one of this table. */
  holds(key: Key): boolean {
    return key[0] === this.kind.name && key.length === this.kind.keyColumns.length + 1
  }

  /** The record under a key of this table, or why it cannot be had; `undefined` for nothing. */
  read(key: Key): TextEntry | undefined {
    return this.readMany([key])[0]
  }

  /** The same for many keys, at the cost of one statement. */
  readMany(keys: readonly Key[]): (TextEntry | undefined)[] {
    const texts = this.#textsByID(keys)
    if (texts === undefined) return this.#readRows(keys)
    return keys.map((key) => {
      const found = texts.get(key.at(-1) as string)
      if (found === undefined || found.owner !== key[1]) return undefined
      return found.text === undefined ? this.#readRows([key])[0] : { key: encodeKey(key), text: found.text }
    })
  }

  /** The lines of some rows, in their order and in any number of pieces; nothing where there are none. */
  lines([first, last]: RowRun): Buffer[] {
    // To put one line together in SQLite would take several copies of a large body.
    if (first === last) return this.#line(first)
    const lines = this.#prepare(this.#selectLinesSql).pluck().get(first, last) as Buffer | null
    return lines === null ? [] : [lines]
  }

  #line(row: number): Buffer[] {
    const found = this.#prepare(this.#selectLineSql).raw().get(row) as [Buffer, Buffer] | undefined
    if (found === undefined) return []
    const [head, body] = found
    return [head, body.subarray(1), LINE_END]
  }

  has(key: Key): boolean {
    const sql = `SELECT 1 FROM ${this.kind.name} WHERE ${this.#isKey()} LIMIT 1`
    return this.#prepare(sql).get(...key.slice(1)) !== undefined
  }

  /** The keys of a span, in order, page by page; nothing is held open in between. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    const { name } = this.kind
    let start = columnBound(this.kind, span.gte)
    // The end of the whole section names no record, and every row lies before it.
    let end = span.lt?.startsWith(`${name}\0`) ? columnBound(this.kind, span.lt) : undefined
    for (;;) {
      const statement = this.#selectKeys(end !== undefined, reverse)
      const found = statement.raw().all(...start, ...(end ?? []), PAGE_KEYS) as string[][]
      if (found.length > 0) yield found.map((values) => encodeKey([name, ...values]))
      const last = found.at(-1)
      if (last === undefined || found.length < PAGE_KEYS) return
      if (reverse) end = last
      else start = [...last.slice(0, -1), `${last.at(-1)}\0`]
    }
  }

  /** Adds a row, unless there is one of its id; columns that this database does not have are left out. */
  insert(row: Row): boolean {
    const values = this.#filled.map((name) => row[name] ?? null)
    return this.#prepare(this.#insertSql).run(...values).changes > 0
  }

  /**
   * The same for a row with a body, which is given in UTF-8 without its first brace. The values are those of all columns
   * that records fill, in their order. Gives the number of the row.
   */
  insertBody(...values: SqlValue[]): number | undefined {
    this.#insertBody ??= this.#prepare(this.#insertBodySql)
    const { changes, lastInsertRowid } = this.#insertBody.run(...values)
    return changes > 0 ? Number(lastInsertRowid) : undefined
  }

  /** Changes the row that has the same key, in place: what belongs to it stays. */
  update(row: Row): void {
    const { keyColumns, name } = this.kind
    const names = this.#existing(row).filter((column) => !keyColumns.includes(column))
    if (names.length === 0) return
    const assignments = names.map((column) => `${column} = ?`).join(", ")
    const values = [...names, ...keyColumns].map((column) => row[column] ?? null)
    this.#prepare(`UPDATE ${name} SET ${assignments} WHERE ${this.#isKey()}`).run(...values)
  }

  /** Whether the row that has the same key holds the same, as far as there are columns for it. */
  matches(row: Row): boolean {
    const names = this.#existing(row)
    const conditions = names.map((column) => `${column} IS ?`).join(" AND ")
    const values = names.map((column) => row[column] ?? null)
    return this.#prepare(`SELECT 1 FROM ${this.kind.name} WHERE ${conditions}`).get(...values) !== undefined
  }

  remove(key: Key): void {
    this.#prepare(`DELETE FROM ${this.kind.name} WHERE ${this.#isKey()}`).run(...key.slice(1))
  }

  /** Some columns of the first row in which a column holds a value. */
  find(column: string, value: string, ...wanted: string[]): Row | undefined {
    const sql = `SELECT ${wanted.join(", ") || column} FROM ${this.kind.name} WHERE ${column} = ? LIMIT 1`
    return this.#prepare(sql).get(value) as Row | undefined
  }

  /** Whether the id of a record is that of a row with another owner; ids are unique in a table. */
  isElsewhere(key: Key): boolean {
    const { keyColumns } = this.kind
    const row = this.find(keyColumns.at(-1) as string, key.at(-1) as string, ...keyColumns)
    return row !== undefined && !this.#isUnder(key, row)
  }

  /** A value as this database would give it back. */
  fit({ key, value }: RowRecord): unknown {
    const rows = this.kind.encode({ key, value })
    return this.kind.decode(
      rows.map((row) => Object.fromEntries(this.#existing(row).map((name) => [name, row[name] ?? null]))),
    )
  }

  #readRows(keys: readonly Key[]): (TextEntry | undefined)[] {
    const rows = this.#rowsByID(keys)
    return keys.map((key) => {
      const own = rows.get(key.at(-1) as string)?.filter((row) => this.#isUnder(key, row)) ?? []
      return own.length === 0 ? undefined : this.#entry(key, own)
    })
  }

  /** What the database itself makes of rows with bodies, by id; no text for those that need a closer look. */
  #textsByID(keys: readonly Key[]): Map<string, WrittenRow> | undefined {
    if (this.kind.besideBody === undefined) return undefined
    const ids = JSON.stringify(keys.map((key) => key.at(-1)))
    const lastID = `"${Object.keys(this.kind.besideBody).at(-1)}": `
    try {
      const found = this.#prepare(this.#selectTextsSql).raw().all(ids) as [string, string, string | null][]
      return new Map(
        found.map(([owner, id, text]) => [
          id,
          text !== null && isPlain(text, lastID) ? { owner, text } : { owner },
        ]),
      )
    } catch (error) {
      // It does not go as deep as others do.
      if (error instanceof SqliteDatabase.SqliteError && error.code === "SQLITE_ERROR") return undefined
      throw error
    }
  }

  #rowsByID(keys: readonly Key[]): Map<SqlValue, Row[]> {
    const ids = JSON.stringify(keys.map((key) => key.at(-1)))
    const found = this.#prepare(this.#selectSql).raw().all(ids) as SqlValue[][]
    const idIndex = this.kind.keyColumns.length - 1
    const rows = new Map<SqlValue, Row[]>()
    for (const values of found) {
      const row = this.#rowOf(values)
      const id = values[idIndex] as SqlValue
      const others = rows.get(id)
      if (others === undefined) rows.set(id, [row])
      else others.push(row)
    }
    return rows
  }

  #rowOf(values: readonly SqlValue[]): Row {
    const row: Record<string, SqlValue> = {}
    for (let index = 0; index < values.length; index++)
      row[this.#filled[index] as string] = values[index] as SqlValue
    return row
  }

  #entry(key: Key, rows: readonly Row[]): TextEntry {
    const encoded = encodeKey(key)
    try {
      return { key: encoded, text: JSON.stringify(this.kind.decode(rows), undefined, 2) }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      return { key: encoded, error: new StorageError("CORRUPT", "The row holds no valid JSON", { key }) }
    }
  }

  #isUnder(key: Key, row: Row): boolean {
    return this.kind.keyColumns.every((column, index) => row[column] === key[index + 1])
  }

  #selectKeys(hasEnd: boolean, reverse: boolean): Statement<SqlValue[]> {
    const { name, keyColumns } = this.kind
    const columns = keyColumns.join(", ")
    const places = keyColumns.map(() => "?").join(", ")
    const order = keyColumns.map((column) => `${column} ${reverse ? "DESC" : "ASC"}`).join(", ")
    return this.#prepare(
      `SELECT ${this.kind.isList ? "DISTINCT " : ""}${columns} FROM ${name} WHERE (${columns}) >= (${places})` +
        `${hasEnd ? ` AND (${columns}) < (${places})` : ""} ORDER BY ${order} LIMIT ?`,
    )
  }

  #isKey(): string {
    return this.kind.keyColumns.map((column) => `${column} = ?`).join(" AND ")
  }

  #existing(row: Row): string[] {
    return Object.keys(row).filter((name) => this.#columns.has(name))
  }

  #prepare(sql: string): Statement<SqlValue[]> {
    const statement = this.#statements.get(sql) ?? this.#database.prepare<SqlValue[]>(sql)
    this.#statements.set(sql, statement)
    return statement
  }
}

/** The line of a record from a body that is an object, with a line end. */
function lineSql(kind: RecordKind): string {
  return `${lineHeadSql(kind)} || substr(CAST(data AS BLOB), 2) || char(10)`
}

/** What comes before the fields of the body in that line. */
function lineHeadSql({ besideBody = {} }: RecordKind): string {
  const fields = Object.entries(besideBody).map(([field, column]) => `'"${field}":"' || ${column}`)
  return `'{' || ${fields.join(` || '",' || `)} || '",'`
}

const LINE_END = Buffer.from("\n")

/** The text of a record as opencode would write it, from a body that is an object; null for any other. */
function textSql({ besideBody = {} }: RecordKind): string {
  const fields = Object.entries(besideBody).map(([field, column]) => `'"${field}":' || json_quote(${column})`)
  const text = `'{' || ${fields.join(" || ',' || ")} || ',' || substr(data, 2)`
  return `CASE WHEN unicode(data) = unicode('{') AND json_valid(data) THEN json_pretty(${text}, '  ') END`
}

const TOLD_BY_BODY = new RegExp(`\\n {2}"(?:id|sessionID|messageID|${FILLED_FIELDS})": `, "g")

/** Whether the body in a text tells nothing of its own about ids or filled fields; other ids come before it. */
function isPlain(text: string, lastOfThem: string): boolean {
  TOLD_BY_BODY.lastIndex = text.indexOf(lastOfThem)
  return !TOLD_BY_BODY.test(text)
}
