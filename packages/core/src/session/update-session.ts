import { Session } from "../model/session.js"
import { checkOptions } from "../storage/options.js"
import { type SessionContext, TREE_LOCK } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { asSession, checkRecord, noSession, sessionKey } from "./session-records.js"
import { checkParent } from "./session-tree.js"
import { updateRecord } from "./update-record.js"

/** How to update a session. */
export interface UpdateSessionOptions {
  /** Note the time of the update, which brings the session to the top of lists; on by default. */
  readonly touch?: boolean | undefined
}

/** Lets `edit` change a session, and tells listeners. A new parent is accepted once it has been looked at. */
export async function updateSession(
  context: SessionContext,
  sessionID: string,
  edit: (draft: Session) => void,
  options: UpdateSessionOptions = {},
): Promise<Session> {
  checkOptions("update", options, { touch: "boolean?" })
  const { touch = true } = options
  const { locks } = context
  const attempt = (accepted?: string) =>
    locks.exclusive(sessionID, () => changeSession(context, sessionID, guarded(edit, touch, accepted)))
  try {
    return await attempt()
  } catch (error) {
    if (!(error instanceof NewParent)) throw error
    const { parentID } = error
    return locks.exclusive(TREE_LOCK, async () => {
      await checkParent(context, sessionID, parentID)
      return attempt(parentID)
    })
  }

  function guarded(edit: (draft: Session) => void, touch: boolean, accepted: string | undefined) {
    return (draft: Session) => {
      const { id, projectID, parentID } = draft
      const result = edit(draft)
      if (draft.id !== id || draft.projectID !== projectID)
        throw new SessionError("IMMUTABLE", `The ids of session ${id} cannot be changed`)
      checkRecord(Session, draft)
      if (draft.parentID !== undefined && draft.parentID !== parentID && draft.parentID !== accepted)
        throw new NewParent(draft.parentID)
      if (touch) draft.time.updated = context.clock()
      return result
    }
  }
}

/** Changes a session, whose lock is held, and tells listeners. */
export async function changeSession(
  { storage, projectID, publish }: SessionContext,
  sessionID: string,
  edit: (draft: Session) => void,
): Promise<Session> {
  const key = sessionKey(projectID, sessionID)
  const change = (draft: Session) => edit(asSession(key, draft))
  const session = await updateRecord(storage, key, change, () => noSession(sessionID))
  publish("session.updated", { info: structuredClone(session) })
  return session
}

/** Stops an edit until the parent that it sets has been looked at, which no editor can wait for. */
class NewParent extends Error {
  readonly parentID: string

  constructor(parentID: string) {
    super("A new parent was set")
    this.parentID = parentID
  }
}
