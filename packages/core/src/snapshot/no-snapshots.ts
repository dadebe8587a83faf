import type { FileDiff } from "../model/file-diff.js"
import { SnapshotError } from "./snapshot-error.js"
import type { Patch, Snapshots } from "./snapshots.js"

/**
 * For worktrees without snapshots, such as folders that are no repository: none is taken, and nothing ever
 * differs. Bringing files back rejects with `UNSUPPORTED`, unless there are none to bring back.
 */
export class NoSnapshots implements Snapshots {
  async track(): Promise<undefined> {
    return undefined
  }

  async patch(from: string): Promise<Patch> {
    return { hash: from, files: [] }
  }

  async diff(): Promise<string> {
    return ""
  }

  async diffFull(): Promise<FileDiff[]> {
    return []
  }

  async restore(): Promise<void> {
    throw new SnapshotError("UNSUPPORTED", "No snapshots are taken here, so no state can be restored")
  }

  async revert(patches: readonly Patch[]): Promise<void> {
    if (patches.some(({ files }) => files.length > 0)) await this.restore()
  }
}
