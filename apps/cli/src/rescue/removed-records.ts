import { encodeKey, type Key, type TextStorage } from "@sessile/core/storage"
import type { FoundSession } from "./compare-sessions.js"

/** What a session has in the JSON files only, though opencode has gone on with it in the database. */
export interface RemovedRecords {
  readonly id: string
  readonly title: string | null
  readonly keys: readonly Key[]
}

/**
 * Finds what somebody may have removed in opencode: a session that was used in the database since it left the JSON files
 * has what it is to have, and an import that lost something does not look like that.
 */
export async function findRemoved(
  continued: readonly FoundSession[],
  json: TextStorage,
  database: TextStorage,
): Promise<RemovedRecords[]> {
  const removed: RemovedRecords[] = []
  for (const { id, title } of continued) {
    const keys = await keysOf(json, id)
    const present = new Set((await keysOf(database, id)).map(encodeKey))
    const absent = keys.filter((key) => !present.has(encodeKey(key)))
    if (absent.length > 0) removed.push({ id, title, keys: absent })
  }
  return removed
}

async function keysOf(storage: TextStorage, session: string): Promise<Key[]> {
  const messages = await storage.list(["message", session])
  const parts = await Promise.all(messages.map(([, , message = ""]) => storage.list(["part", message])))
  const share = ["session_share", session]
  const [isShared] = await storage.readTexts([encodeKey(share)])
  return [...messages, ...parts.flat(), ...(isShared === undefined ? [] : [share])]
}
