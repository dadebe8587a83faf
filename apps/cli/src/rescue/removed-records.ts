import { encodeKey, type Key, type TextStorage } from "@sessile/core/storage"
import { contentKeys } from "./session-keys.js"
import type { StoredSession } from "./stored-sessions.js"

/** What a session has in the JSON files only, though opencode went on with it in the database. */
export interface RemovedRecords {
  readonly id: string
  readonly title: string | null
  readonly keys: readonly Key[]
}

/**
 * Finds what was removed in opencode from sessions that it went on with: what an import lost is missing in sessions
 * that were not used since.
 */
export async function findRemoved(
  continued: readonly StoredSession[],
  json: TextStorage,
  database: TextStorage,
): Promise<RemovedRecords[]> {
  const removed: RemovedRecords[] = []
  for (const { id, title } of continued) {
    const present = new Set((await contentKeys(database, id)).map(encodeKey))
    const keys = (await contentKeys(json, id)).filter((key) => !present.has(encodeKey(key)))
    if (keys.length > 0) removed.push({ id, title, keys })
  }
  return removed
}
