import type { Row } from "./column.js"
import { at } from "./json-object.js"
import { type RowTime, rowNames, TOTALS, type ToldByRows } from "./row-times.js"
import { usageColumns } from "./schema.js"

/** How many sessions are remembered: no more of them come at the same time. */
const REMEMBERED = 8

/** What came with sessions about their rows, for the rows of these sessions that come with it or next. */
export class GivenTimes {
  readonly #bySession = new Map<string, ToldByRows>()

  note(session: string, told: ToldByRows): void {
    // A map has its entries in the order in which they were set: the first one was not needed for longest.
    this.#bySession.delete(session)
    this.#bySession.set(session, told)
    const [oldest = session] = this.#bySession.keys()
    if (this.#bySession.size > REMEMBERED) this.#bySession.delete(oldest)
  }

  /** The totals that came with a session, by column. */
  totalsOf(session: string): Row {
    const told = this.#bySession.get(session)
    const totals = usageColumns.map((column) => [column, at(told, [TOTALS, column])])
    return Object.fromEntries(totals.filter(([, total]) => total !== undefined))
  }

  /** The times that came with a session for one of its rows. */
  timeOf(table: string, session: string, name: string): RowTime | undefined {
    const given = this.#bySession.get(session)
    return given && (at(given, [table, name]) as RowTime | undefined)
  }

  /** Gives rows of one table and one session their times: those that came with the session, or else derived ones. */
  apply(table: string, session: string, rows: readonly Row[], derived: RowTime): readonly Row[] {
    const given = this.#bySession.get(session)
    if (given === undefined) return rows.map((row) => withTime(row, derived))
    this.note(session, given)
    const name = rowNames.get(table) as string
    return rows.map((row) => withTime(row, this.timeOf(table, session, String(row[name])) ?? derived))
  }
}

function withTime(row: Row, [time_created, time_updated]: RowTime): Row {
  return Object.assign(row, { time_created, time_updated })
}
