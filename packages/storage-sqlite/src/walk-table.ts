import SqliteDatabase, { type Database } from "better-sqlite3"

/** Rows of a table that could not be read: those with numbers between these two, as far as there were any. */
export interface UnreadRows {
  readonly after: number
  /** `undefined` where nothing could be read any more. */
  readonly before: number | undefined
}

/** What to read of a table that has row numbers. */
export interface Walk {
  readonly table: string
  /** Expressions, separated by commas. Those that need few columns from the left read fewest pages. */
  readonly columns: string
  /** Called with the number of a row and its columns. Of a damaged table a row may come twice. */
  readonly visit: (row: readonly unknown[]) => void
}

/** So many row numbers behind a damaged page are tried one by one, since most tables have few gaps; then larger steps. */
const TRIED_ONE_BY_ONE = 2_000

/**
 * Reads all rows of a table in the order of its pages, without any index: a damaged index hides nothing. What a damaged
 * page held is stepped over by row numbers, so that everything on the other pages comes.
 *
 * @returns which rows could not be read; empty where the table gave no sign of damage
 *
 * @example
 * ```ts
 * const ids = new Map<string, number>()
 * const unread = walkTable(database, { table: "session", columns: "id", visit: ([row, id]) => ids.set(id, row) })
 * ```
 */
export function walkTable(database: Database, { table, columns, visit }: Walk): UnreadRows[] {
  const select = `SELECT rowid, ${columns} FROM ${table} NOT INDEXED`
  const inPageOrder = database.prepare(select).raw()
  const fromNumber = database.prepare(`${select} WHERE rowid >= ? ORDER BY rowid`).raw()
  const unread: UnreadRows[] = []
  let last = 0
  let gap: number | undefined

  /** Visits rows up to the end (`true`), or up to one that cannot be read (`false`). */
  const visitRows = (from?: number): boolean => {
    const rows = from === undefined ? inPageOrder.iterate() : fromNumber.iterate(from)
    try {
      for (const row of rows as Iterable<readonly [number, ...unknown[]]>) {
        const [number] = row
        if (from !== undefined && number < from) return false
        if (gap !== undefined || number <= last) unread.push({ after: gap ?? last, before: number })
        gap = undefined
        last = Math.max(last, number)
        visit(row)
      }
      return true
    } catch (error) {
      if (isDamage(error)) return false
      throw error
    }
  }

  let hasEnded = visitRows()
  for (let next = last + 1, misses = 0; !hasEnded && Number.isSafeInteger(next); ) {
    gap ??= last
    hasEnded = visitRows(next)
    misses = last < next ? misses + 1 : 0
    next = last < next ? next + Math.max(1, 2 ** (misses - TRIED_ONE_BY_ONE)) : last + 1
  }
  return gap === undefined ? unread : [...unread, { after: gap, before: undefined }]
}

/** Whether a part of a database cannot be read, because of what it holds or because of the medium. */
export function isDamage(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(CORRUPT|NOTADB|IOERR)/.test(error.code)
}
