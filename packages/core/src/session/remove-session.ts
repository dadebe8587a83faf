import type { Session } from "../model/session.js"
import { compareUtf8, type Key } from "../storage/key.js"
import { sessionBelongings } from "../storage/session-belongings.js"
import { StorageError } from "../storage/storage-error.js"
import { orCorrupt, type ReadOptions } from "./read-messages.js"
import { keysOfMessage, removeAll } from "./remove-message.js"
import { type SessionContext, TREE_LOCK } from "./session-context.js"
import { asSession, hasRecord, noSession, sessionKey } from "./session-records.js"
import { endShares, type ShareService, shareLock } from "./share-session.js"

/**
 * Removes a session with all that descend from it and all that belongs to them, as one batch.
 *
 * Where the batch is not atomic a failure leaves the session itself for the last: everything that remains is still
 * found from it, and removing it again finishes.
 */
export function removeSession(
  context: SessionContext,
  shareService: ShareService | undefined,
  sessionID: string,
): Promise<void> {
  const { locks, publish } = context
  return locks.exclusive(TREE_LOCK, async () => {
    const doomed = await descendantsFirst(context, sessionID)
    const ids = [...new Set(doomed.map(({ key }) => key[2] as string))]
    const sorted = ids.toSorted(compareUtf8)
    await locks.exclusiveAll([...sorted.map(shareLock), ...sorted], async () => {
      await endShares(context, shareService, ids)
      const keys: Key[] = []
      for (const { key } of doomed) keys.push(...(await keysOfSession(context, key)))
      await removeAll(context, keys)
      for (const { session } of doomed)
        if (session !== undefined) publish("session.deleted", { info: session })
    })
  })
}

// What is removed need not be readable; of what cannot be read at all, nobody can tell whose child it is.
const passingOver: ReadOptions = { onCorrupt: () => undefined }

interface StoredSession {
  readonly key: Key
  /** Missing when it cannot be read. */
  readonly session: Session | undefined
}

/** The session and what descends from it, each behind its own descendants. */
async function descendantsFirst(context: SessionContext, sessionID: string): Promise<StoredSession[]> {
  const root = sessionKey(context.projectID, sessionID)
  if (!(await hasRecord(context, root))) throw noSession(sessionID)
  const found: StoredSession[] = [{ key: root, session: await readIfReadable(context, root) }]
  const seen = new Set([sessionID])
  // The list grows while it is walked.
  for (const { key } of found) {
    const fresh: StoredSession[] = []
    const query = { equals: [key[2] as string], ...passingOver }
    for await (const { key, value } of context.storage.find("sessions-by-parent", query)) {
      if (seen.has(key[2] as string)) continue
      fresh.push({ key, session: orCorrupt(passingOver, () => asSession(key, value)) })
    }
    for (const { key } of fresh) seen.add(key[2] as string)
    found.push(...fresh)
  }
  return found.reverse()
}

async function readIfReadable({ storage }: SessionContext, key: Key): Promise<Session | undefined> {
  try {
    return asSession(key, await storage.read(key))
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return undefined
    throw error
  }
}

async function keysOfSession(context: SessionContext, key: Key): Promise<Key[]> {
  const sessionID = key[2] as string
  const keys: Key[] = []
  for (const message of await context.storage.list(["message", sessionID])) {
    keys.push(...(await keysOfMessage(context, message)))
  }
  return [...keys, ...sessionBelongings.map((kind) => [kind, sessionID]), key]
}
