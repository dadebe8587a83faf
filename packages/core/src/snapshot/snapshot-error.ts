import { CodedError } from "../error/coded-error.js"

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

/** A snapshot operation that was refused; nothing has changed. */
export class SnapshotError extends CodedError<SnapshotErrorCode> {
  static override readonly type = "SnapshotError"
}
