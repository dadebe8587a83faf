import type { FileDiff } from "../model/file-diff.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import { comparablePath, isInside } from "../project/path.js"
import { decodeGitPath } from "../snapshot/git-path.js"
import { totalDiffs } from "../snapshot/session-diff.js"
import type { Snapshots } from "../snapshot/snapshots.js"
import { StorageError } from "../storage/storage-error.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { type RevertPoint, splitAt } from "./revert-point.js"
import type { SessionContext } from "./session-context.js"
import { changeSession } from "./update-session.js"

/** What takes a session's files back and forth. */
export interface Worktree {
  /** The folder that the snapshots are of. */
  readonly path: string
  readonly snapshots: Snapshots
}

/** The diffs that are stored for a session; none when there are none. */
export async function readDiffs({ storage }: SessionContext, sessionID: string): Promise<FileDiff[]> {
  try {
    return await storage.read<FileDiff[]>(["session_diff", sessionID])
  } catch (error) {
    if (StorageError.is(error, "NOT_FOUND")) return []
    throw error
  }
}

/**
 * What the steps of a conversation changed, as far as it has not been taken back: the way from the first snapshot to
 * the last, of the files that a step is known to have changed.
 */
export async function computeDiffs(
  messages: readonly MessageWithParts[],
  revert: RevertPoint | undefined,
  { path, snapshots }: Worktree,
): Promise<FileDiff[]> {
  const parts = splitAt(messages, revert).before.flatMap((message) => message.parts)
  const changed = new Set(parts.flatMap((part) => filesOf(part, path)))
  const from = parts.map((part) => snapshotOf(part, "step-start")).find((hash) => hash !== undefined)
  const to = parts.map((part) => snapshotOf(part, "step-finish")).findLast((hash) => hash !== undefined)
  if (changed.size === 0 || from === undefined || to === undefined) return []
  const diffs = await snapshots.diffFull(from, to)
  return diffs.filter(({ file }) => changed.has(pathOf(path, file)))
}

/** Stores diffs and their totals; the lock of the session is held. */
export async function storeDiffs(
  context: SessionContext,
  sessionID: string,
  diffs: readonly FileDiff[],
  edit: (draft: Session) => void = () => undefined,
): Promise<Session> {
  await context.storage.write(["session_diff", sessionID], diffs)
  const session = await changeSession(context, sessionID, (draft) => {
    const { diffs: _, ...summary } = draft.summary ?? {}
    draft.summary = { ...summary, ...totalDiffs(diffs) }
    edit(draft)
  })
  context.publish("session.diff", { sessionID, diff: structuredClone(diffs) })
  return session
}

function snapshotOf(part: Part, type: "step-start" | "step-finish"): string | undefined {
  return part.type === type ? part.snapshot : undefined
}

function filesOf(part: Part, worktree: string): string[] {
  if (part.type !== "patch") return []
  const start = comparablePath(worktree).replace(/\/?$/, "/").length
  return part.files.map((file) =>
    isInside(worktree, file) ? pathOf(worktree, file.slice(start)) : comparablePath(file),
  )
}

// Patches name files by whole paths and diffs from the worktree on; in both some releases quote as git does.
function pathOf(worktree: string, name: string): string {
  return comparablePath(`${worktree}/${decodeGitPath(name)}`)
}
