import { type Key, StorageError, type StorageErrorCode } from "@sessile/core/storage"

const codes: Readonly<Record<string, StorageErrorCode>> = {
  LEVEL_LOCKED: "LOCKED",
  LEVEL_CORRUPTION: "CORRUPT",
  ENOSPC: "FULL",
  EDQUOT: "FULL",
  EROFS: "READONLY",
  EACCES: "DENIED",
  EPERM: "DENIED",
}

// LevelDB passes on what the operating system said, not its number.
const endings: readonly (readonly [RegExp, StorageErrorCode])[] = [
  [/: (No space left on device|Disk quota exceeded)$/, "FULL"],
  [/: Read-only file system$/, "READONLY"],
  [/: (Permission denied|Operation not permitted)$/, "DENIED"],
  // LevelDB opens no files but those that its own records name.
  [/: No such file or directory$/, "CORRUPT"],
]

const advice: Readonly<Partial<Record<StorageErrorCode, string>>> = {
  LOCKED: "somebody else holds it, and LevelDB serves one process at a time; close it there first",
  CORRUPT: "its files are damaged; make a copy, then call LevelStorage.repair(path)",
  FULL: "the disk is full; free some space and try again",
  READONLY: "the file system is read-only, and LevelDB writes even when it opens; copy the store elsewhere",
  DENIED: "access is denied; check who owns it and its permissions",
}

/** A failure of LevelDB or of the file system as a `StorageError`; one that is already passes through. */
export function levelFault(action: string, error: unknown, path: string, key?: Key): StorageError {
  if (StorageError.is(error)) return error
  const reason = reasonOf(error)
  const code = codeOf(reason)
  const explanation = advice[code] ?? reason.code ?? "unknown failure"
  return new StorageError(code, `Cannot ${action}: ${explanation}`, { key, path, cause: reason })
}

type CodedError = Error & { readonly code?: string }

/** What stands behind the error that `open` rejects with, which says only that it failed. */
function reasonOf(error: unknown): CodedError {
  const { code, cause } = error as CodedError
  return code === "LEVEL_DATABASE_NOT_OPEN" && cause instanceof Error ? cause : (error as CodedError)
}

function codeOf({ code, message }: CodedError): StorageErrorCode {
  return codes[code ?? ""] ?? endings.find(([ending]) => ending.test(message))?.[1] ?? "IO"
}
