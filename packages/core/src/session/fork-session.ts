import type { RevertState, Session } from "../model/session.js"
import { checkOptions } from "../storage/options.js"
import { inheritedRules, newSessionRecord, type SessionDefaults } from "./create-session.js"
import { forkTitle } from "./default-title.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { writesOf } from "./messages.js"
import { loadMessages } from "./read-messages.js"
import { newIds, remapIds } from "./remap-ids.js"
import type { SessionContext } from "./session-context.js"
import { noMessage, readSession, sessionKey } from "./session-records.js"

/** Where to fork. */
export interface ForkOptions {
  /** The first message that stays out, with all that come after it; by default the whole session is copied. */
  readonly messageID?: string | undefined
}

/**
 * Copies a session, as one batch. Where that is not atomic the session itself comes last: a failure may leave
 * records that belong to no session, but never a session that lacks some.
 */
export async function forkSession(
  context: SessionContext,
  defaults: SessionDefaults,
  sessionID: string,
  options: ForkOptions,
): Promise<Session> {
  checkOptions("fork", options, { messageID: "string?" })
  const { storage, locks, identifiers, publish } = context
  return locks.shared(sessionID, async () => {
    const source = await readSession(context, sessionID)
    const messages = before(await loadMessages(context, sessionID), sessionID, options.messageID)
    const id = identifiers.descending("session")
    const ids = newIds(messages, (entity) => identifiers.ascending(entity)).set(sessionID, id)
    const session = newSessionRecord(context, defaults, {
      id,
      title: forkTitle(source.title),
      directory: source.directory,
      permission: inheritedRules(source),
      revert: remapRevert(source.revert, ids),
    })
    const copies = messages.map((message) => remapIds(message, ids))
    await storage.batch([
      ...copies.flatMap(writesOf),
      { type: "write", key: sessionKey(context.projectID, id), value: session },
    ])
    publish("session.created", { info: structuredClone(session) })
    return session
  })
}

function before(
  messages: readonly MessageWithParts[],
  sessionID: string,
  messageID: string | undefined,
): readonly MessageWithParts[] {
  if (messageID === undefined) return messages
  const end = messages.findIndex(({ info }) => info.id === messageID)
  if (end < 0) throw noMessage({ id: messageID, sessionID })
  return messages.slice(0, end)
}

// When the messages that were taken back stay out of the fork, there is nothing left to bring back.
function remapRevert(
  revert: RevertState | undefined,
  ids: ReadonlyMap<string, string>,
): RevertState | undefined {
  if (revert === undefined || !ids.has(revert.messageID)) return undefined
  const { messageID, partID, snapshot, diff } = revert
  return remapIds({ messageID, partID, snapshot, diff }, ids)
}
