/**
 * Why a snapshot operation failed:
 *
 * | code | meaning |
 * |---|---|
 * | `NOT_FOUND` | there is no such snapshot |
 * | `NO_REPOSITORY` | the worktree is not the top of a git worktree |
 * | `INVALID_FOLDER` | the folder cannot hold snapshots of this worktree |
 * | `OUTSIDE` | a patch names a file outside the worktree |
 * | `OBSTRUCTED` | a file cannot come back because another one is in its place |
 * | `UNSUPPORTED` | there are no snapshots here |
 */
export type SnapshotErrorCode =
  | "NOT_FOUND"
  | "NO_REPOSITORY"
  | "INVALID_FOLDER"
  | "OUTSIDE"
  | "OBSTRUCTED"
  | "UNSUPPORTED"

const marker = Symbol.for("sessile.SnapshotError")

/** A snapshot operation that was refused; nothing has changed. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError"
  readonly code: SnapshotErrorCode

  constructor(code: SnapshotErrorCode, message: string) {
    super(message)
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown, code?: SnapshotErrorCode): error is SnapshotError {
    if (typeof error !== "object" || error === null || !(marker in error)) return false
    return code === undefined || (error as { code?: unknown }).code === code
  }
}
