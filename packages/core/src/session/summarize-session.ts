import type { FileDiff } from "../model/file-diff.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { UserMessage } from "../model/user-message.js"
import { comparablePath, isInside } from "../project/path.js"
import { decodeGitPath } from "../snapshot/git-path.js"
import { totalDiffs } from "../snapshot/session-diff.js"
import type { Snapshots } from "../snapshot/snapshots.js"
import { checkOptions } from "../storage/options.js"
import { StorageError } from "../storage/storage-error.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { loadMessages } from "./read-messages.js"
import { splitAt } from "./revert-point.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { asMessage, type MessageReference, messageKey, noMessage, readSession } from "./session-records.js"
import { updateRecord } from "./update-record.js"
import { changeSession } from "./update-session.js"

/** What takes a session's files back and forth. */
export interface Worktree {
  /** The folder that the snapshots are of. */
  readonly path: string
  readonly snapshots: Snapshots
}

/** The diffs that are stored for a session; none when there are none. */
export async function readDiffs(context: SessionContext, sessionID: string): Promise<FileDiff[]> {
  try {
    return await context.storage.read<FileDiff[]>(["session_diff", sessionID])
  } catch (error) {
    if (!StorageError.is(error, "NOT_FOUND")) throw error
    await readSession(context, sessionID)
    return []
  }
}

/** Whose changes to work out besides those of the session. */
export interface SummarizeOptions {
  /** The question of a turn, which then holds what the turn changed as `summary.diffs`. */
  readonly messageID?: string | undefined
}

/** Works out and stores what a session changed and, on request, what one of its turns did. */
export function summarizeSession(
  context: SessionContext,
  worktree: Worktree,
  sessionID: string,
  options: SummarizeOptions,
): Promise<Session> {
  checkOptions("summarize", options, { messageID: "string?" })
  const { messageID } = options
  return context.locks.exclusive(sessionID, async () => {
    const { revert } = await readSession(context, sessionID)
    const messages = await loadMessages(context, sessionID)
    const { before } = splitAt(messages, revert)
    const diffs = await computeDiffs(before, worktree)
    if (messageID !== undefined) {
      if (!messages.some(({ info }) => info.id === messageID && info.role === "user"))
        throw new SessionError("NOT_FOUND", `There is no question ${messageID} in session ${sessionID}`)
      const turn = before.filter(({ info }) => info.role === "assistant" && info.parentID === messageID)
      await storeTurn(context, { id: messageID, sessionID }, await computeDiffs(turn, worktree))
    }
    return storeDiffs(context, sessionID, diffs)
  })
}

/**
 * What the steps of some messages changed: the way from the first snapshot to the last, of the files that a step is
 * known to have changed.
 */
export async function computeDiffs(
  messages: readonly MessageWithParts[],
  { path, snapshots }: Worktree,
): Promise<FileDiff[]> {
  const parts = messages.flatMap((message) => message.parts)
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

async function storeTurn(
  { storage, publish }: SessionContext,
  question: MessageReference,
  diffs: readonly FileDiff[],
): Promise<void> {
  const key = messageKey(question.sessionID, question.id)
  const change = (draft: UserMessage) => {
    asMessage(key, draft)
    draft.summary = { ...draft.summary, diffs: [...diffs] }
  }
  const message = await updateRecord(storage, key, change, () => noMessage(question))
  publish("message.updated", { info: structuredClone(message) })
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
