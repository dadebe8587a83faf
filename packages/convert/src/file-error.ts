import { StorageError, type StorageErrorCode } from "@sessile/core/storage"

const reasons: Readonly<Record<string, readonly [StorageErrorCode, string]>> = {
  ENOSPC: ["FULL", "no space left"],
  EDQUOT: ["FULL", "no space left"],
  EROFS: ["READONLY", "the file system is read-only"],
  EACCES: ["DENIED", "access is denied"],
  EPERM: ["DENIED", "access is denied"],
  ENOENT: ["IO", "no such folder"],
  ENOTDIR: ["IO", "a file is where a folder is needed"],
  EEXIST: ["IO", "a file is where a folder is needed"],
  EISDIR: ["IO", "a folder is where a file is needed"],
}

/**
 * A failure of the file system as a `StorageError` that says what failed and why; one that is already passes through.
 *
 * @param action what failed, such as `write the report`
 */
export function fileError(action: string, path: string, error: unknown): StorageError {
  if (StorageError.is(error)) return error
  const errno = (error as NodeJS.ErrnoException).code ?? "unknown failure"
  const [code, reason] = reasons[errno] ?? (["IO", errno] as const)
  return new StorageError(code, `Cannot ${action}: ${reason}`, { path, cause: error })
}
