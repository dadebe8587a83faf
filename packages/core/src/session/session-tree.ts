import type { Session } from "../model/session.js"
import { orCorrupt, type ReadOptions } from "./read-messages.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { asSession, readSession } from "./session-records.js"

/** A session with all that descend from it. */
export interface SessionTree {
  readonly session: Session
  /** Oldest first. */
  readonly children: readonly SessionTree[]
}

/** The sessions whose parent this is, of whatever project, oldest first. */
export async function childrenOf(
  { storage }: SessionContext,
  sessionID: string,
  options: ReadOptions = {},
): Promise<Session[]> {
  const children: Session[] = []
  for await (const { key, value } of storage.find("sessions-by-parent", {
    equals: [sessionID],
    ...options,
  })) {
    const child = orCorrupt(options, () => asSession(key, value))
    if (child !== undefined) children.push(child)
  }
  return children
}

/** The tree below a session. In damaged stores, where sessions descend from each other, each comes but once. */
export async function treeOf(
  context: SessionContext,
  sessionID: string,
  options: ReadOptions = {},
): Promise<SessionTree> {
  const seen = new Set([sessionID])
  const grow = async (session: Session): Promise<SessionTree> => {
    const children: SessionTree[] = []
    const fresh = (await childrenOf(context, session.id, options)).filter(({ id }) => !seen.has(id))
    for (const { id } of fresh) seen.add(id)
    for (const child of fresh) children.push(await grow(child))
    return { session, children }
  }
  return grow(await readSession(context, sessionID))
}

/**
 * Refuses a parent that is not there, or that descends from the session.
 *
 * @throws SessionError `NOT_FOUND`, `CYCLE`
 */
export async function checkParent(
  context: SessionContext,
  sessionID: string,
  parentID: string,
): Promise<Session> {
  if (parentID === sessionID) throw cycle(sessionID, parentID)
  const parent = await readSession(context, parentID)
  const seen = new Set([parentID])
  let next = parent.parentID
  while (next !== undefined && !seen.has(next)) {
    if (next === sessionID) throw cycle(sessionID, parentID)
    seen.add(next)
    next = (await ancestor(context, next))?.parentID
  }
  return parent
}

async function ancestor(context: SessionContext, sessionID: string): Promise<Session | undefined> {
  try {
    return await readSession(context, sessionID)
  } catch (error) {
    // Nothing descends from a session that is gone.
    if (SessionError.is(error, "NOT_FOUND")) return undefined
    throw error
  }
}

function cycle(sessionID: string, parentID: string): SessionError {
  return new SessionError("CYCLE", `Session ${parentID} descends from ${sessionID}, and cannot be its parent`)
}
