import type { Session } from "../model/session.js"
import { type NewSessionShare, newSessionShare, type SessionShare } from "../model/share.js"
import { StorageError } from "../storage/storage-error.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { readSession, refusing } from "./session-records.js"
import { changeSession } from "./update-session.js"

/** Puts copies of sessions where others can see them. It gives up by itself on what takes too long. */
export interface ShareService {
  /** Makes a public copy; whoever has the secret may change it. */
  create(session: Session): Promise<NewSessionShare>
  /** Takes the public copy away; one that is gone already is fine. */
  remove(share: SessionShare): Promise<void>
}

/** Shares a session, unless it is shared. The secret goes into the store, and nowhere else. */
export async function shareSession(
  context: SessionContext,
  service: ShareService | undefined,
  sessionID: string,
): Promise<Session> {
  if (service === undefined) throw noService()
  return context.locks.exclusive(shareLock(sessionID), async () => {
    const session = await readSession(context, sessionID)
    const known = await readShare(context, sessionID)
    const { url } = known ?? (await makeShare(context, service, session))
    return noteShare(context, sessionID, { url })
  })
}

/** Ends the sharing of a session, if it is shared. */
export async function unshareSession(
  context: SessionContext,
  service: ShareService | undefined,
  sessionID: string,
): Promise<Session> {
  if (service === undefined) throw noService()
  return context.locks.exclusive(shareLock(sessionID), async () => {
    await readSession(context, sessionID)
    await endShares(context, service, [sessionID])
    const session = await noteShare(context, sessionID, undefined)
    // Last: as long as the secret is there, this can be tried again.
    await context.storage.batch(shareKeys(sessionID).map((key) => ({ type: "remove", key })))
    return session
  })
}

/**
 * Held by whoever begins or ends the sharing of a session, and taken before the lock of the session itself: a session
 * can be worked on while its service takes its time.
 */
export function shareLock(sessionID: string): string {
  return `share ${sessionID}`
}

/** Takes away the public copies of sessions, whose share locks are held; without a service they stay. */
export async function endShares(
  context: SessionContext,
  service: ShareService | undefined,
  sessionIDs: readonly string[],
): Promise<void> {
  if (service === undefined) return
  for (const sessionID of sessionIDs) {
    const share = await readShare(context, sessionID)
    if (share !== undefined) await attempt(sessionID, service.remove(share))
  }
}

async function makeShare(
  context: SessionContext,
  service: ShareService,
  session: Session,
): Promise<SessionShare> {
  const made = await attempt(session.id, service.create(structuredClone(session)))
  try {
    const share = refusing(() => newSessionShare(made))
    await context.storage.write(["session_share", session.id], share)
    return share
  } catch (error) {
    // Without its secret nobody could take the copy away any more.
    await attempt(session.id, service.remove(made))
    throw error
  }
}

function noteShare(context: SessionContext, sessionID: string, share: Session["share"]): Promise<Session> {
  const note = (draft: Session) => {
    if (share === undefined) delete draft.share
    else draft.share = share
  }
  return context.locks.exclusive(sessionID, () => changeSession(context, sessionID, note))
}

async function readShare({ storage }: SessionContext, sessionID: string): Promise<SessionShare | undefined> {
  for (const key of shareKeys(sessionID)) {
    try {
      return await storage.read<SessionShare>(key)
    } catch (error) {
      if (!StorageError.is(error, "NOT_FOUND")) throw error
    }
  }
  return undefined
}

// Older releases keep theirs under `share`.
function shareKeys(sessionID: string): string[][] {
  return [
    ["session_share", sessionID],
    ["share", sessionID],
  ]
}

// What a service says of its failure may quote the secret, so only the kind of error is passed on.
async function attempt<T>(sessionID: string, call: Promise<T>): Promise<T> {
  try {
    return await call
  } catch (error) {
    const kind = error instanceof Error ? error.constructor.name : typeof error
    throw new SessionError("SHARE_FAILED", `The share service failed for session ${sessionID} (${kind})`)
  }
}

function noService(): SessionError {
  return new SessionError("UNSUPPORTED", "Sharing takes a share service; give one as shareService")
}
