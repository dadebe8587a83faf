import { compareMessages } from "../identifier/compare.js"
import type { Message } from "../model/message.js"
import { listSessions, type SessionListOptions } from "./list-sessions.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { scanMessages, withParts } from "./read-messages.js"
import type { SessionContext } from "./session-context.js"
import { type SessionIndexEntry, sessionIndexEntry } from "./session-index.js"

/** Sums up sessions, newest first. Only what users wrote is read: the outputs of tools are most of a store. */
export async function* indexSessions(
  context: SessionContext,
  options: SessionListOptions,
): AsyncGenerator<SessionIndexEntry, void, void> {
  const { onCorrupt } = options
  for await (const session of listSessions(context, { roots: true, ...options })) {
    const messages: Message[] = []
    for await (const message of scanMessages(context, session.id, { onCorrupt })) messages.push(message)
    const asked = messages.filter(({ role }) => role === "user")
    const answers: MessageWithParts[] = messages
      .filter(({ role }) => role === "assistant")
      .map((info) => ({ info, parts: [] }))
    const all = [...(await withParts(context, asked, { onCorrupt })), ...answers]
    yield sessionIndexEntry(
      session,
      all.sort((a, b) => compareMessages(a.info, b.info)),
    )
  }
}
