import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"

const codes: Readonly<Record<string, StorageErrorCode>> = {
  ENOSPC: "FULL",
  EDQUOT: "FULL",
  EROFS: "READONLY",
  EACCES: "DENIED",
  EPERM: "DENIED",
  ENAMETOOLONG: "INVALID_KEY",
}

const advice: Readonly<Partial<Record<StorageErrorCode, string>>> = {
  FULL: "the disk is full; free some space and try again",
  READONLY: "the file system is read-only",
  DENIED: "access is denied; check who owns it and its permissions",
  INVALID_KEY: "its path is too long for the file system; shorten the key",
}

/** Whether an error comes from the operating system with one of these codes. */
export function hasCode(error: unknown, ...expected: readonly string[]): error is NodeJS.ErrnoException {
  return error instanceof Error && expected.includes((error as NodeJS.ErrnoException).code ?? "")
}

/** A failure of the file system as a `StorageError`; one that is already passes through. */
export function storageFault(action: string, error: unknown, path: string, key?: Key): StorageError {
  if (StorageError.is(error)) return error
  const errno = (error as NodeJS.ErrnoException).code ?? "unknown failure"
  const code = codes[errno] ?? "IO"
  return new StorageError(code, `Cannot ${action}: ${advice[code] ?? errno}`, { key, path, cause: error })
}
