import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"

const codes: readonly (readonly [start: string, code: StorageErrorCode, advice: string])[] = [
  ["SQLITE_FULL", "FULL", "the disk is full; free some space and try again"],
  ["SQLITE_READONLY", "READONLY", "the file or its file system is read-only; open it with readonly: true"],
  ["SQLITE_BUSY", "LOCKED", "another process has held the database for too long; try again when it is done"],
  ["SQLITE_LOCKED", "LOCKED", "the database is in use; try again"],
  ["SQLITE_CORRUPT", "CORRUPT", "the database is damaged; restore a backup, or try `sqlite3 FILE .recover`"],
  ["SQLITE_NOTADB", "CORRUPT", "the file is not an SQLite database"],
  ["SQLITE_PERM", "DENIED", "access is denied; check who owns the file and its permissions"],
  ["SQLITE_AUTH", "DENIED", "access is denied"],
]

const systemCodes: Readonly<Record<string, StorageErrorCode>> = {
  EACCES: "DENIED",
  EPERM: "DENIED",
  EROFS: "READONLY",
  ENOSPC: "FULL",
  ENOENT: "NOT_FOUND",
}

/** A failure of SQLite or of the file system as a `StorageError`; any other error passes through. */
export function sqliteFault(action: string, error: unknown, path: string, key?: Key): unknown {
  const reported = (error as { code?: unknown } | undefined)?.code
  if (StorageError.is(error) || !(error instanceof Error) || typeof reported !== "string") return error
  const known = codes.find(([start]) => reported.startsWith(start))
  const code = known?.[1] ?? systemCodes[reported] ?? "IO"
  return new StorageError(code, `Cannot ${action}: ${known?.[2] ?? reported}`, { key, path, cause: error })
}
