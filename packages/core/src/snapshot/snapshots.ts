import type { FileDiff } from "../model/file-diff.js"

/** The files that changed since a snapshot, as a `PatchPart` holds them. */
export interface Patch {
  /** The snapshot. */
  readonly hash: string
  /** Absolute paths. */
  readonly files: string[]
}

/**
 * States of a worktree that can be compared and brought back. A state is named by a hash; equal states have equal
 * hashes. Calls that look at the worktree or change it happen one after the other.
 *
 * @example
 * ```ts
 * const before = await snapshots.track()
 * await editFiles()
 * if (before !== undefined) await snapshots.revert([await snapshots.patch(before)])
 * ```
 */
export interface Snapshots {
  /** Takes a snapshot of the worktree; `undefined` where there are none. */
  track(): Promise<string | undefined>

  /** What differs now from the snapshot `from`: files added, changed, and deleted. */
  patch(from: string): Promise<Patch>

  /** The way from one snapshot to another, or to the worktree as it is now, as a unified diff for people to read. */
  diff(from: string, to?: string): Promise<string>

  /**
   * Like {@link diff}, file by file, with whole contents and counts of lines; file names are relative to the
   * worktree, with slashes. Binary files and those of over 16 MiB come without contents and counts.
   */
  diffFull(from: string, to?: string): Promise<FileDiff[]>

  /**
   * Brings the whole worktree back to a snapshot: files that came later are deleted. What snapshots do not cover
   * stays.
   */
  restore(hash: string): Promise<void>

  /**
   * Undoes patches: each file that they name goes back to the snapshot of the first patch that names it, and is
   * deleted when it was not there then. No other file changes. All of it is checked before the first change.
   */
  revert(patches: readonly Patch[]): Promise<void>
}
