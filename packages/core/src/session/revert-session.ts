import type { Part } from "../model/part.js"
import type { RevertState, Session } from "../model/session.js"
import type { PatchPart } from "../model/step-part.js"
import type { Key } from "../storage/key.js"
import { checkOptions } from "../storage/options.js"
import { loadMessages } from "./read-messages.js"
import { keysOfMessage, removeAll } from "./remove-message.js"
import { type RevertPoint, resolvePoint, splitAt } from "./revert-point.js"
import type { SessionContext } from "./session-context.js"
import { messageKey, partKey, readSession, sessionKey } from "./session-records.js"
import { computeDiffs, storeDiffs, type Worktree } from "./summarize-session.js"
import { changeSession } from "./update-session.js"

/**
 * Takes a session back, and its files with it. The messages stay until `cleanUp`, so that it can be undone.
 *
 * The way back is noted before the first file changes: whatever interrupts this, `unrevert` leads back.
 */
export async function revertSession(
  context: SessionContext,
  worktree: Worktree,
  sessionID: string,
  point: RevertPoint,
): Promise<Session> {
  checkOptions("revert", point, { messageID: "string", partID: "string?" })
  const { snapshots } = worktree
  return context.locks.exclusive(sessionID, async () => {
    const { revert: earlier } = await readSession(context, sessionID)
    const messages = await loadMessages(context, sessionID)
    const target = resolvePoint(messages, sessionID, point)
    const { before, after } = splitAt(messages, target)
    const diffs = await computeDiffs(before, worktree)
    const patches = after.flatMap(({ parts }) => parts.filter(isPatch))
    const current = await snapshots.track()
    const snapshot = earlier?.snapshot ?? current
    const revert = { ...target, ...(snapshot !== undefined && { snapshot }) }
    await noteRevert(context, sessionID, revert)
    try {
      if (earlier?.snapshot !== undefined) await snapshots.restore(earlier.snapshot)
      await snapshots.revert(patches)
    } catch (error) {
      if (current !== undefined) await snapshots.restore(current)
      await noteRevert(context, sessionID, earlier)
      throw error
    }
    const diff = snapshot === undefined ? undefined : await snapshots.diff(snapshot)
    return storeDiffs(context, sessionID, diffs, (draft) => {
      draft.revert = { ...revert, ...(diff !== undefined && { diff }) }
      draft.time.updated = context.clock()
    })
  })
}

/** Brings back what was taken back, files included; a session of which nothing was stays as it is. */
export function unrevertSession(
  context: SessionContext,
  worktree: Worktree,
  sessionID: string,
): Promise<Session> {
  return context.locks.exclusive(sessionID, async () => {
    const session = await readSession(context, sessionID)
    if (session.revert === undefined) return session
    const diffs = await computeDiffs(await loadMessages(context, sessionID), worktree)
    if (session.revert.snapshot !== undefined) await worktree.snapshots.restore(session.revert.snapshot)
    return storeDiffs(context, sessionID, diffs, (draft) => {
      delete draft.revert
      draft.time.updated = context.clock()
    })
  })
}

/**
 * Removes for good what was taken back. The newest goes first and the session is changed last, so that where batches
 * are not atomic doing it again finishes.
 */
export function cleanUpSession(context: SessionContext, sessionID: string): Promise<Session> {
  const { locks, publish } = context
  return locks.exclusive(sessionID, async () => {
    const session = await readSession(context, sessionID)
    const { revert } = session
    if (revert === undefined) return session
    const removed = splitAt(await loadMessages(context, sessionID), revert).after.reverse()
    const keys: Key[] = []
    for (const { info, parts } of removed) {
      if (isCut(revert, info.id)) keys.push(...parts.map((part) => partKey(info.id, part.id)))
      else keys.push(...(await keysOfMessage(context, messageKey(sessionID, info.id))))
    }
    await removeAll(context, keys)
    for (const { info, parts } of removed) {
      if (!isCut(revert, info.id)) publish("message.removed", { sessionID, messageID: info.id })
      else {
        for (const { id } of parts) {
          publish("message.part.removed", { sessionID, messageID: info.id, partID: id })
        }
      }
    }
    return changeSession(context, sessionID, (draft) => {
      delete draft.revert
    })
  })
}

async function noteRevert(
  { storage, projectID }: SessionContext,
  sessionID: string,
  revert: RevertState | undefined,
): Promise<void> {
  await storage.update<Session>(sessionKey(projectID, sessionID), (draft) => {
    if (revert === undefined) delete draft.revert
    else draft.revert = revert
  })
}

function isPatch(part: Part): part is PatchPart {
  return part.type === "patch"
}

/** Whether of this message only some parts were taken back. */
function isCut({ messageID, partID }: RevertState, id: string): boolean {
  return partID !== undefined && messageID === id
}
