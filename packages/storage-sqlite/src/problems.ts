import SqliteDatabase, { type Database } from "better-sqlite3"

/**
 * What is wrong with a database, in SQLite's words, a sentence each; empty when nothing is. Rows that belong to nothing are
 * the concern of those who write: in a database that is only read they are no damage.
 */
export function problemsOf(database: Database, isOnlyRead = false): string[] {
  try {
    return isOnlyRead ? damagedPages(database) : [...damagedPages(database), ...orphans(database)]
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return [`The check could not be finished: ${error.code}`]
    throw error
  }
}

function damagedPages(database: Database): string[] {
  const rows = database.prepare("PRAGMA integrity_check").pluck().all() as string[]
  return rows
    .flatMap((row) => String(row).split("\n"))
    .filter((line) => line !== "ok" && !line.startsWith("*** in database"))
}

function orphans(database: Database): string[] {
  const rows = database.pragma("foreign_key_check") as { table: string; rowid: number; parent: string }[]
  return rows.map(({ table, rowid, parent }) => `row ${rowid} of ${table} belongs to no row of ${parent}`)
}
