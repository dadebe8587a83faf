import type { Key } from "../storage/key.js"
import type { Operation } from "../storage/storage.js"
import type { SessionContext } from "./session-context.js"

/** The keys of a message and its parts, which go first, for only through the message are they found again. */
export async function keysOfMessage({ storage }: SessionContext, key: Key): Promise<Key[]> {
  return [...(await storage.list(["part", key[2] as string])), key]
}

/** Removes records as one batch, and forgets what was still to be added to them. */
export async function removeAll({ storage, writers }: SessionContext, keys: readonly Key[]): Promise<void> {
  await storage.batch(keys.map((key): Operation => ({ type: "remove", key })))
  for (const [kind, , id] of keys) {
    if (kind !== "part" || id === undefined) continue
    writers.get(id)?.abandon()
    writers.delete(id)
  }
}
