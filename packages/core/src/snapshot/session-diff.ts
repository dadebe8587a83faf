import type { FileDiff } from "../model/file-diff.js"

/** The totals of some diffs, as a session's `summary` holds them. */
export interface DiffTotals {
  readonly additions: number
  readonly deletions: number
  readonly files: number
}

/** Adds up the lines and files of diffs. */
export function totalDiffs(diffs: readonly FileDiff[]): DiffTotals {
  return {
    additions: diffs.reduce((sum, diff) => sum + diff.additions, 0),
    deletions: diffs.reduce((sum, diff) => sum + diff.deletions, 0),
    files: diffs.length,
  }
}
