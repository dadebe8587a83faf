import { encodeKey, type Key, type Span, type TextEntry } from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"
import type { Row, SqlValue } from "./column.js"
import { isObject } from "./json-object.js"
import { columnBound } from "./key-space.js"
import { ROW_TIMES } from "./record-kind.js"
import { messageCreated, messageUpdated, partCreated } from "./record-time.js"
import { type TableColumns, usageColumns } from "./schema.js"
import { usageOf } from "./usage.js"

/** When a row was made, and when it was last changed, in milliseconds. */
export type RowTime = readonly [created: number, updated: number]

/**
 * What the rows of a session tell and its other records do not: the times of rows, by table and by the column that
 * {@link rowNames} gives, and under `totals` the columns of the session that sum up its messages, where one of these
 * sums is another one.
 */
export type ToldByRows = Readonly<Record<string, Readonly<Record<string, RowTime | number>>>>

/** The tables whose rows have times that no record tells, and what names a row there among those of its session. */
export const rowNames: ReadonlyMap<string, string> = new Map([
  ["message", "id"],
  ["part", "id"],
  ["session_share", "session_id"],
  ["todo", "position"],
])

/** A row with its times, with the time near which they lie, and with what a message says of itself, as JSON. */
type TimedRow = readonly [
  table: string,
  name: string | number,
  created: SqlValue,
  updated: SqlValue,
  near: SqlValue,
  said: string | null,
]

const PAGE_KEYS = 500

/**
 * What rows tell beyond all records, as a record of its own: one for each session whose rows would not come out the
 * same without it. It is read off the rows.
 */
export class RowTimes {
  readonly kind = { name: ROW_TIMES, keyColumns: ["id"], refuse } as const
  readonly #database: Database
  readonly #selectRows: Statement<[{ session: string }]> | undefined
  readonly #selectRowsInOrder: Statement<[{ session: string }]> | undefined
  readonly #selectTotals: Statement<[string], Row> | undefined

  constructor(database: Database, columns: TableColumns) {
    this.#database = database
    const rows = rowsOfSession(columns)
    if (rows === "") return
    this.#selectRows = database.prepare<[{ session: string }]>(rows).raw()
    this.#selectRowsInOrder = database.prepare<[{ session: string }]>(`${rows} ORDER BY 1, 2`).raw()
    const totals = usageColumns.filter((column) => columns.get("session")?.has(column))
    if (totals.length > 0) this.#selectTotals = database.prepare(`SELECT ${totals} FROM session WHERE id = ?`)
  }

  holds(key: Key): boolean {
    return key[0] === ROW_TIMES && key.length === 2
  }

  readMany(keys: readonly Key[]): (TextEntry | undefined)[] {
    return keys.map((key) => this.#read(key))
  }

  /** The keys of a span, in order, page by page; nothing is held open in between. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    // Every text comes before a blob.
    const bounds = "id >= ? AND id < ifnull(?, x'')"
    const order = reverse ? "DESC" : "ASC"
    const statement = this.#database.prepare<[string, string | null]>(
      `SELECT id FROM session WHERE ${bounds} ORDER BY id ${order} LIMIT ${PAGE_KEYS}`,
    )
    let [start = ""] = columnBound(this.kind, span.gte)
    let [end = null] = span.lt?.startsWith(`${ROW_TIMES}\0`) ? columnBound(this.kind, span.lt) : []
    for (;;) {
      const sessions = statement.pluck().all(start, end) as string[]
      yield sessions.filter((id) => this.#isThere(id)).map((id) => encodeKey([ROW_TIMES, id]))
      const last = sessions.at(-1)
      if (last === undefined || sessions.length < PAGE_KEYS) return
      if (reverse) end = last
      else start = `${last}\0`
    }
  }

  #read(key: Key): TextEntry | undefined {
    const session = key[1] as string
    const rows = this.#selectRowsInOrder?.all({ session }) ?? []
    const told = new Map<string, [string, RowTime | number][]>()
    for (const [table, name, value] of this.#told(session, rows as TimedRow[])) {
      const others = told.get(table)
      if (others === undefined) told.set(table, [[name, value]])
      else others.push([name, value])
    }
    if (told.size === 0) return undefined
    const tables = [...told].map(([table, values]) => [table, Object.fromEntries(values)])
    return { key: encodeKey(key), text: JSON.stringify(Object.fromEntries(tables)) }
  }

  #isThere(session: string): boolean {
    const rows = this.#selectRows?.iterate({ session }) ?? []
    for (const _ of this.#told(session, rows as Iterable<TimedRow>)) return true
    return false
  }

  /** What the rows of a session tell beyond its records: where, of what, and what. */
  *#told(
    session: string,
    rows: Iterable<TimedRow>,
  ): Generator<[table: string, name: string, value: RowTime | number], void, void> {
    const messages: unknown[] = []
    for (const [table, name, created, updated, near, said] of rows) {
      const [time, role, cost, tokens] = said === null ? [] : (JSON.parse(said) as unknown[])
      if (said !== null) messages.push({ role, cost, tokens })
      const derived = derivedTime(table, String(name), Number(near), time)
      const own = [created, updated] as RowTime
      if (isRowTime(own) && (created !== derived[0] || updated !== derived[1]))
        yield [table, String(name), own]
    }
    const totals = Object.entries(this.#selectTotals?.get(session) ?? {})
    const derived = usageOf(messages)
    if (totals.every(([column, total]) => total === derived[column])) return
    for (const [column, total] of totals) if (isNumber(total)) yield [TOTALS, column, total]
  }
}

/** Where such a record has the totals of the session, beside the tables. */
export const TOTALS = "totals"

/** Why a value does not tell times of rows; `undefined` when it does. */
function refuse(value: unknown): string | undefined {
  const isSound = isObject(value) && Object.entries(value).every(isTold)
  return isSound ? undefined : "It does not tell the times of rows"
}

function isTold([name, values]: [string, unknown]): boolean {
  return isObject(values) && Object.values(values).every(name === TOTALS ? isNumber : isRowTime)
}

function isRowTime(value: unknown): boolean {
  return Array.isArray(value) && value.length === 2 && value.every(isNumber)
}

function isNumber(value: unknown): value is number {
  return Number.isFinite(value)
}

/** Selects the rows of a session whose times no record tells, as {@link TimedRow}; empty without the columns. */
function rowsOfSession(columns: TableColumns): string {
  const hasTimes = (table: string) =>
    ["time_created", "time_updated"].every((column) => columns.get(table)?.has(column))
  if (!hasTimes("session") || !hasTimes("message")) return ""
  const said = "json_extract(data, '$.time', '$.role', '$.cost', '$.tokens')"
  const messages = "session JOIN message ON message.session_id = session.id"
  const from: Readonly<Record<string, string>> = {
    message: `session.time_created, CASE WHEN json_valid(data) THEN ${said} END FROM ${messages}`,
    part: `message.time_created, NULL FROM ${messages} JOIN part ON part.message_id = message.id`,
    session_share: "session.time_updated, NULL FROM session JOIN session_share ON session_id = session.id",
    todo: "session.time_updated, NULL FROM session JOIN todo ON session_id = session.id",
  }
  return [...rowNames]
    .filter(([table]) => hasTimes(table))
    .map(([table, name]) => {
      const own = [name, "time_created", "time_updated"].map((column) => `${table}.${column}`)
      return `SELECT '${table}', ${own.join(", ")}, ${from[table]} WHERE session.id = @session`
    })
    .join(" UNION ALL ")
}

/** The times that a row is given if nobody tells them. */
function derivedTime(table: string, name: string, near: number, time: unknown): RowTime {
  if (table === "message") {
    const created = messageCreated({ time }, name, near)
    return [created, messageUpdated({ time }, created)]
  }
  const created = table === "part" ? partCreated(name, near) : near
  return [created, created]
}
