import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"

const DENIED = "access is denied; check who owns the file and its permissions"
const FULL = "the disk is full; free some space and try again"
const READONLY = "the file or its file system is read-only; make it writable, or only read from it"

/** What the beginnings of SQLite's codes mean, and those of the operating system. */
const codes: readonly (readonly [start: string, code: StorageErrorCode, advice: string])[] = [
  ["SQLITE_FULL", "FULL", FULL],
  ["SQLITE_READONLY", "READONLY", READONLY],
  ["SQLITE_BUSY", "LOCKED", "another process has held the database for too long; try again when it is done"],
  ["SQLITE_LOCKED", "LOCKED", "the database is in use; try again"],
  ["SQLITE_CORRUPT", "CORRUPT", "the database is damaged; restore a backup, or try `sqlite3 FILE .recover`"],
  ["SQLITE_ERROR", "CORRUPT", "the database does not have the form that it should have; restore a backup"],
  ["SQLITE_NOTADB", "CORRUPT", "the file is not an SQLite database"],
  ["SQLITE_PERM", "DENIED", DENIED],
  ["SQLITE_AUTH", "DENIED", DENIED],
  ["EACCES", "DENIED", DENIED],
  ["EPERM", "DENIED", DENIED],
  ["EROFS", "READONLY", READONLY],
  ["ENOSPC", "FULL", FULL],
  ["EDQUOT", "FULL", FULL],
  ["ENOENT", "NOT_FOUND", "it is not there"],
]

const MALFORMED = [
  "",
  "CORRUPT",
  "the database is damaged: its tables are not as they should be; restore a backup",
] as const

// SQLite has no code of its own for a schema that it cannot make sense of.
function isMalformed({ message }: Error): boolean {
  return /^(no such (table|column|index)|malformed|unsupported file format|unable to use function|table \S+ has)/.test(
    message,
  )
}

/** A failure of SQLite or of the file system as a `StorageError`; any other error passes through. */
export function sqliteFault(action: string, error: unknown, path: string, key?: Key): unknown {
  const reported = (error as { code?: unknown } | undefined)?.code
  if (StorageError.is(error) || !(error instanceof Error) || typeof reported !== "string") return error
  const known = isMalformed(error) ? MALFORMED : codes.find(([start]) => reported.startsWith(start))
  const code = known?.[1] ?? "IO"
  return new StorageError(code, `Cannot ${action}: ${known?.[2] ?? reported}`, { key, path, cause: error })
}
