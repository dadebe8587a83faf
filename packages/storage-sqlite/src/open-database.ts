import { closeSync, existsSync, mkdirSync, openSync, readSync, statSync } from "node:fs"
import { dirname } from "node:path"
import { StorageError } from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { APPLICATION_ID, migrateSchema, SCHEMA_VERSION } from "./schema.js"
import { sqliteFault } from "./sqlite-fault.js"

/** How long SQLite waits for other processes. Their transactions are short, but there may be many. */
const BUSY_TIMEOUT = 60_000

/** How a database is opened. */
export interface OpenSettings {
  readonly path: string
  readonly readonly: boolean
  readonly durability: "normal" | "full"
}

/** Opens a database file that is Sessile's, or makes a new one. Whatever else lies there is refused and left alone. */
export function openDatabase({ path, readonly, durability }: OpenSettings): Database {
  if (path !== ":memory:") prepareFile(path, readonly)
  let database: Database | undefined
  try {
    database = new SqliteDatabase(path, { readonly, timeout: BUSY_TIMEOUT })
    adoptDatabase(database, path, readonly)
    if (!readonly) useWriteAheadLog(database, path)
    database.pragma(`synchronous = ${durability === "full" ? "FULL" : "NORMAL"}`)
    return database
  } catch (error) {
    database?.close()
    throw sqliteFault("open the database", error, path)
  }
}

/** Makes sure that a database is Sessile's, and up to date; an empty one becomes it. */
export function adoptDatabase(database: Database, path: string, readonly: boolean): void {
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
}

function versionOf(database: Database, path: string): number {
  const applicationId = database.pragma("application_id", { simple: true }) as number
  const version = database.pragma("user_version", { simple: true }) as number
  if (applicationId === APPLICATION_ID) {
    if (version <= SCHEMA_VERSION) return version
    const message = `The database has schema version ${version}, this program knows ${SCHEMA_VERSION}; update Sessile`
    throw new StorageError("UNSUPPORTED", message, { path })
  }
  const objects = database.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() as number
  if (objects === 0 && applicationId === 0) return 0
  throw new StorageError("INVALID_ARGUMENT", "The database belongs to another program; choose another path", {
    path,
  })
}

/** Lets readers and writers work at the same time, or says that they cannot. */
export function useWriteAheadLog(database: Pick<Database, "pragma">, path: string): void {
  const mode = database.pragma("journal_mode = WAL", { simple: true })
  if (mode === "wal" || mode === "memory") return
  const reason = "the file system does not support it; writers and readers will wait for each other"
  process.emitWarning(`${path} is used without a write-ahead log: ${reason}`, { code: "SESSILE_NO_WAL" })
}

function prepareFile(path: string, readonly: boolean): void {
  try {
    if (!existsSync(path)) {
      if (readonly) throw new StorageError("NOT_FOUND", "There is no store here", { path })
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      // SQLite gives the files beside it the same permissions: histories hold secrets.
      closeSync(openSync(path, "a", 0o600))
      return
    }
    if (statSync(path).isDirectory()) {
      throw new StorageError("INVALID_ARGUMENT", "A SQLite store is a file, and this is a folder", { path })
    }
    refuseTruncated(path)
  } catch (error) {
    throw sqliteFault("open the database", error, path)
  }
}

// SQLite itself notices missing pages only when it needs one of them.
function refuseTruncated(path: string): void {
  const { size } = statSync(path)
  if (size === 0 || existsSync(`${path}-wal`)) return
  const header = Buffer.alloc(100)
  const file = openSync(path, "r")
  try {
    readSync(file, header, 0, 100, 0)
  } finally {
    closeSync(file)
  }
  if (header.toString("latin1", 0, 16) !== "SQLite format 3\0") {
    throw new StorageError("CORRUPT", "The file is not an SQLite database; nothing was changed", { path })
  }
  // The header holds 1 for a page size of 65,536.
  const pageSize = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16)
  const expected = pageSize * header.readUInt32BE(28)
  if (size >= expected) return
  const message = `The database is cut short: ${size} of ${expected} bytes are there; restore a backup`
  throw new StorageError("CORRUPT", message, { path })
}
