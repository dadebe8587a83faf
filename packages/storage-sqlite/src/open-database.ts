import { StorageError } from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { prepareFile } from "./database-file.js"
import { APPLICATION_ID, migrateSchema, SCHEMA_VERSION } from "./schema.js"
import { sqliteFault } from "./sqlite-fault.js"

/** How long SQLite waits for other processes. Their transactions are short, but there may be many. */
const BUSY_TIMEOUT = 60_000

/** The page size of a new database. Records are about 1 KB: pages of 4 KB would be a quarter empty. */
const PAGE_SIZE = 8_192

/** How a database is opened. */
export interface OpenSettings {
  readonly path: string
  readonly readonly: boolean
  readonly durability: "normal" | "full"
}

/** Opens a database file that is Sessile's, or makes a new one. Whatever else lies there is refused and left alone. */
export function openDatabase(settings: OpenSettings): Database {
  const { path } = settings
  if (path !== ":memory:") prepareFile(path, settings)
  return connect(path, settings)
}

/** Opens `file`, of which errors speak as `path`. */
export function connect(file: string, { path, readonly, durability }: OpenSettings): Database {
  let database: Database | undefined
  try {
    database = new SqliteDatabase(file, { readonly, timeout: BUSY_TIMEOUT })
    if (!readonly) database.pragma(`page_size = ${PAGE_SIZE}`)
    adoptDatabase(database, path, readonly)
    if (!readonly) useWriteAheadLog(database, path)
    database.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
    return database
  } catch (error) {
    database?.close()
    throw sqliteFault("open the database", error, path)
  }
}

/** Closes a database, and leaves one plain file if nobody else is at work: it can be copied, and opened on read-only media. */
export function closeDatabase(database: Database, path: string): void {
  if (!database.readonly && !database.memory) leaveWriteAheadLog(database, path)
  database.close()
}

/** Makes sure that a database is Sessile's, and up to date; an empty one becomes it. */
export function adoptDatabase(database: Database, path: string, readonly: boolean): void {
  try {
    const version = versionOf(database, path)
    if (version === SCHEMA_VERSION) return
    if (readonly) throw new StorageError("NOT_FOUND", "There is no store in this database", { path })
    database
      .transaction(() => {
        // Another process may have been faster.
        const current = versionOf(database, path)
        if (current < SCHEMA_VERSION) migrateSchema(database, current)
      })
      .immediate()
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

function versionOf(database: Database, path: string): number {
  const { applicationId, version, objects } = headerOf(database)
  if (applicationId === APPLICATION_ID) {
    if (version <= SCHEMA_VERSION) return version
    const message = `The database has schema version ${version}, this program knows ${SCHEMA_VERSION}; update Sessile`
    throw new StorageError("UNSUPPORTED", message, { path })
  }
  if (objects === 0 && applicationId === 0) return 0
  throw new StorageError("INVALID_ARGUMENT", "The database belongs to another program; choose another path", {
    path,
  })
}

// In a transaction, so that all of it is of one moment: another process may be about to make the store.
function headerOf(database: Database): Record<"applicationId" | "version" | "objects", number> {
  return database.transaction(() => ({
    applicationId: database.pragma("application_id", { simple: true }) as number,
    version: database.pragma("user_version", { simple: true }) as number,
    objects: database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number,
  }))()
}

/** Lets readers and writers work at the same time, or says that they cannot. */
export function useWriteAheadLog(database: Pick<Database, "pragma">, path: string): void {
  const mode = database.pragma("journal_mode = WAL", { simple: true })
  if (mode === "wal" || mode === "memory") return
  const reason = "the file system does not support it; writers and readers will wait for each other"
  process.emitWarning(`${path} is used without a write-ahead log: ${reason}`, { code: "SESSILE_NO_WAL" })
}

function leaveWriteAheadLog(database: Database, path: string): void {
  try {
    database.pragma("busy_timeout = 0")
    database.pragma("journal_mode = DELETE")
  } catch (error) {
    // Another process is at work, or the disk is full: the log stays, and keeps what was written, until the next one
    // leaves.
    if (!isBusyOrFull(error)) throw sqliteFault("close the database", error, path)
  }
}

function isBusyOrFull(error: unknown): boolean {
  return error instanceof SqliteDatabase.SqliteError && /^SQLITE_(BUSY|FULL)/.test(error.code)
}
