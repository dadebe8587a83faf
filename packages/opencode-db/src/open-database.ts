import { closeSync, mkdirSync, openSync, realpathSync, type Stats, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import {
  checkDatabase,
  type OpenedDatabase,
  openUntouched,
  sqliteFault,
  syncFolders,
} from "@sessile/storage-sqlite/sqlite"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { areIndexesComplete } from "./index-check.js"
import { ATTEMPT_MILLISECONDS, LIMIT_MILLISECONDS } from "./lock-wait.js"
import { makeTables } from "./new-database.js"
import { type Loss, salvage } from "./salvage.js"
import { type InspectedSchema, inspectSchema } from "./schema.js"

/** After how many pages the log is written back: many rows share pages, which then are written once. */
const LOG_PAGES = 8_000

/** Enough for what one session touches: nothing else is looked at twice. */
const CACHE_KILOBYTES = 4_000

/** A database of opencode's, open. */
export interface OpenDatabase extends OpenedDatabase, InspectedSchema {
  /** What a damaged database does not give any more. */
  readonly losses?: readonly Loss[]
}

/** Opens a database of opencode's for writing. What is not one is refused and left alone. */
export function openDatabase(path: string): OpenDatabase {
  requireFile(path)
  try {
    const database = connect(path, false, ATTEMPT_MILLISECONDS)
    const opened = understand(asOpened(database), path)
    database.pragma(`busy_timeout = ${LIMIT_MILLISECONDS}`)
    database.pragma("foreign_keys = ON")
    database.pragma("synchronous = NORMAL")
    database.pragma(`wal_autocheckpoint = ${LOG_PAGES}`)
    database.pragma(`cache_size = -${CACHE_KILOBYTES}`)
    return opened
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

/** Opens a database of opencode's for reading, as it is now, and leaves no trace. */
export async function openDatabaseUntouched(path: string): Promise<OpenDatabase> {
  return understand(await connectUntouched(path), path)
}

/**
 * The same, so that all records are found: where indexes are damaged, what a walk through the tables finds is read instead.
 */
export async function openDatabaseForReading(path: string): Promise<OpenDatabase> {
  return salvaged(await openDatabaseUntouched(path), path)
}

function salvaged(opened: OpenDatabase, path: string): OpenDatabase {
  try {
    if (areIndexesComplete(opened.database)) return opened
    const { database, losses } = salvage(opened.database, opened.columns)
    const close = () => {
      database.close()
      opened.close()
    }
    return { ...opened, database, losses, close }
  } catch (error) {
    opened.close()
    throw sqliteFault("read the database", error, path)
  }
}

/** The same; where {@link createDatabase} would make a database, what it would make, in memory. */
export async function imagineDatabase(path: string, now: number): Promise<OpenDatabase> {
  if (statSync(path, { throwIfNoEntry: false }) !== undefined) {
    const opened = await connectUntouched(path)
    if (!isEmpty(opened.database)) return salvaged(understand(opened, path), path)
    opened.close()
  }
  const database = new SqliteDatabase(":memory:")
  makeTables(database, now)
  return understand(asOpened(database), path)
}

/** Makes a database that opencode takes for its own, where there is none or an empty one. */
export function createDatabase(path: string, now: number): void {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) createFile(path)
    requireFile(path)
    const database = new SqliteDatabase(path, { timeout: ATTEMPT_MILLISECONDS })
    try {
      if (!isEmpty(database)) return
      database.pragma("journal_mode = WAL")
      // Another process may have been faster.
      database.transaction(() => isEmpty(database) && makeTables(database, now)).immediate()
    } finally {
      database.close()
    }
  } catch (error) {
    throw sqliteFault("open the database for writing", error, path)
  }
}

/**
 * Creates an empty file, unless another process is faster. A file that is there is never opened by other means than SQLite:
 * closing it would drop the locks of all connections that this process has to it (see `isOpenHere`).
 */
function createFile(path: string): void {
  const folder = dirname(path)
  const firstMade = mkdirSync(folder, { recursive: true, mode: 0o700 })
  try {
    // SQLite gives the files beside it the same permissions: histories hold secrets.
    closeSync(openSync(path, "wx", 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error
  }
  syncFolders(folder, firstMade)
}

function isEmpty(database: Database): boolean {
  return database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0
}

/** Refuses what is no file, also as the log of a database: opening a pipe would wait for whoever writes to it. */
function requireFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) {
    throw new StorageError("NOT_FOUND", "There is no database here", { path })
  }
  const base = realpathSync(path)
  for (const file of [base, `${base}-wal`, `${base}-shm`, `${base}-journal`]) {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined || found.isFile()) continue
    const message = `A database and its log are files, and this is ${describe(found)}; choose another path`
    throw new StorageError("INVALID_ARGUMENT", message, { path: file === base ? path : file })
  }
}

function describe(found: Stats): string {
  if (found.isDirectory()) return "a folder"
  if (found.isFIFO()) return "a pipe"
  if (found.isSocket()) return "a socket"
  return "a device"
}

async function connectUntouched(path: string): Promise<OpenedDatabase> {
  requireFile(path)
  try {
    return await openUntouched(path, (file) => connect(file, true, LIMIT_MILLISECONDS))
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

function connect(file: string, readonly: boolean, timeout: number): Database {
  return new SqliteDatabase(file, { readonly, fileMustExist: true, timeout })
}

function asOpened(database: Database): OpenedDatabase {
  return { database, check: () => checkDatabase(database), close: () => database.close() }
}

function understand(opened: OpenedDatabase, path: string): OpenDatabase {
  try {
    const inspected = inspectSchema(opened.database, path)
    const check = async () => [...(await opened.check()), ...inspected.schemaDamage]
    return { ...opened, ...inspected, check }
  } catch (error) {
    opened.close()
    throw sqliteFault("open the database", error, path)
  }
}
