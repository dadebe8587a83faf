import { encodeKey, type Key, type TextStorage } from "@sessile/core/storage"
import type { StoredSession } from "./stored-sessions.js"

/** The keys of the messages, parts and share of a session in a store. */
export async function contentKeys(storage: TextStorage, session: string): Promise<Key[]> {
  const messages = await storage.list(["message", session])
  const parts = await Promise.all(messages.map(([, , message = ""]) => storage.list(["part", message])))
  return [...messages, ...parts.flat(), ...(await presentKeys(storage, [["session_share", session]]))]
}

/** The keys of all records of a session in a store. */
export async function sessionKeys(storage: TextStorage, { id, project }: StoredSession): Promise<Key[]> {
  const others = await presentKeys(storage, [
    ["todo", id],
    ["session_diff", id],
    ["share", id],
  ])
  return [["session", project, id], ...(await contentKeys(storage, id)), ...others]
}

async function presentKeys(storage: TextStorage, keys: readonly Key[]): Promise<Key[]> {
  const entries = await storage.readTexts(keys.map(encodeKey))
  return keys.filter((_, position) => entries[position] !== undefined)
}
