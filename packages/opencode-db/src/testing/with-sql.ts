import SqliteDatabase, { type Database } from "better-sqlite3"

/** Does something to a database behind the back of whoever has it open. */
export function withSql<T>(path: string, action: (database: Database) => T): T {
  const database = new SqliteDatabase(path)
  try {
    return action(database)
  } finally {
    database.close()
  }
}
