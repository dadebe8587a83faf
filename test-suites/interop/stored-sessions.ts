import type { Storage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import type { ExportedMessage, ExportedRecord, ExportedSession } from "./exported-session.js"

/** The sessions of a JSON store with all that belongs to them, each in the order of the identifiers. */
export async function storedSessions(path: string): Promise<ExportedSession[]> {
  await using storage = await JsonStorage.open({ path, readonly: true })
  return await sessionsIn(storage)
}

/** The same, of any store. */
export async function sessionsIn(storage: Storage): Promise<ExportedSession[]> {
  const sessions: ExportedSession[] = []
  for (const info of await recordsBelow(storage, ["session"])) {
    const messages: ExportedMessage[] = []
    for (const message of await recordsBelow(storage, ["message", info.id])) {
      messages.push({ info: message, parts: await recordsBelow(storage, ["part", message.id]) })
    }
    sessions.push({ info, messages })
  }
  return sessions
}

/** The records below a prefix, in key order. */
export async function recordsBelow(storage: Storage, prefix: string[]): Promise<ExportedRecord[]> {
  const records: ExportedRecord[] = []
  for await (const { value } of storage.scan<ExportedRecord>(prefix)) records.push(value)
  return records
}
