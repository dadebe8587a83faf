import { closeSync, mkdirSync, openSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { makeTables } from "./new-database.js"
import { inspectSchema, type OpencodeSchema, type TableColumns } from "./schema.js"
import { sqliteFault } from "./sqlite-fault.js"

/** How long SQLite waits for other processes, such as an opencode that is running. */
const BUSY_TIMEOUT = 60_000

/** A database of opencode's, open. */
export interface OpenDatabase {
  readonly database: Database
  readonly schema: OpencodeSchema
  readonly columns: TableColumns
}

/** Opens a database of opencode's, or a copy of the one at `path`. What is not one is refused and left alone. */
export function openDatabase(path: string, readonly: boolean, copy = path): OpenDatabase {
  let database: Database | undefined
  try {
    database = new SqliteDatabase(copy, { readonly, fileMustExist: true, timeout: BUSY_TIMEOUT })
    const inspected = inspectSchema(database, path)
    if (!readonly) database.pragma("foreign_keys = ON")
    if (!readonly) database.pragma("synchronous = NORMAL")
    return { database, ...inspected }
  } catch (error) {
    database?.close()
    throw sqliteFault("open the database", error, path)
  }
}

/** Makes a database that opencode takes for its own, where there is none or an empty one. */
export function createDatabase(path: string, now: number): void {
  try {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory()) return
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // SQLite gives the files beside it the same permissions: histories hold secrets.
    closeSync(openSync(path, "a", 0o600))
    const database = new SqliteDatabase(path, { timeout: BUSY_TIMEOUT })
    try {
      const isEmpty = () => database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0
      if (!isEmpty()) return
      database.pragma("journal_mode = WAL")
      // Another process may have been faster.
      database.transaction(() => isEmpty() && makeTables(database, now)).immediate()
    } finally {
      database.close()
    }
  } catch (error) {
    throw sqliteFault("make the database", error, path)
  }
}

/** @throws StorageError `NOT_FOUND` or `INVALID_ARGUMENT` for what is no file */
export function requireFile(path: string): void {
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw new StorageError("NOT_FOUND", "There is no database here", { path })
  if (!found.isFile())
    throw new StorageError("INVALID_ARGUMENT", "A database is a file, and this is none", { path })
}
