import { filterCompacted } from "./filter-compacted.js"
import { type PrunablePart, partsToPrune } from "./prune.js"
import { streamMessages } from "./read-messages.js"
import type { SessionContext } from "./session-context.js"
import { partKey, readSession } from "./session-records.js"

/** Marks what {@link partsToPrune} finds, as one batch, and tells listeners. */
export function pruneSession(context: SessionContext, sessionID: string): Promise<PrunablePart[]> {
  const { storage, clock, locks, publish } = context
  return locks.exclusive(sessionID, async () => {
    await readSession(context, sessionID)
    const parts = partsToPrune(await filterCompacted(streamMessages(context, sessionID)))
    const now = clock()
    for (const { state } of parts) state.time.compacted = now
    await storage.batch(
      parts.map((part) => ({ type: "write", key: partKey(part.messageID, part.id), value: part }) as const),
    )
    for (const part of parts) publish("message.part.updated", { part: structuredClone(part) })
    return parts
  })
}
