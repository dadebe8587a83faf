import { type NewAssistantMessage, newAssistantMessage } from "../model/assistant-message.js"
import { Message } from "../model/message.js"
import { type NewUserMessage, newUserMessage } from "../model/user-message.js"
import type { Operation } from "../storage/storage.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { createPart, type PartFields } from "./parts.js"
import { loadMessages, type ReadOptions, streamMessages, withParts } from "./read-messages.js"
import { keysOfMessage, removeAll } from "./remove-message.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import {
  asMessage,
  checkRecord,
  hasRecord,
  type MessageReference,
  messageKey,
  noMessage,
  partKey,
  readMessage,
  readSession,
  refusing,
} from "./session-records.js"
import { updateRecord } from "./update-record.js"

/** What a new message says of itself; the rest is filled in, the time by the clock unless it is given. */
export type MessageFields = Unidentified<NewUserMessage> | Unidentified<NewAssistantMessage>

type Unidentified<New extends NewUserMessage | NewAssistantMessage> = Omit<
  New,
  "id" | "sessionID" | "time"
> & {
  readonly id?: string
  readonly time?: New["time"]
}

/**
 * The messages of sessions. A message that is passed on is known by its `id` and `sessionID`; its other fields do not
 * matter. Changes do not touch the session (see `Sessions.touch`).
 *
 * @example
 * ```ts
 * const model = { providerID: "anthropic", modelID: "claude-sonnet-4-5" }
 * await sessions.messages.add(session.id, { role: "user", agent: "build", model }, [{ type: "text", text: "Hi" }])
 * for await (const { info, parts } of sessions.messages.stream(session.id)) show(info, parts)
 * ```
 */
export class Messages {
  readonly #context: SessionContext

  constructor(context: SessionContext) {
    this.#context = context
  }

  /**
   * Adds a message with its first parts, as one batch.
   *
   * @throws SessionError `NOT_FOUND` when there is no such session, or in it no message `parentID`; `EXISTS` for an id
   * that is taken, `INVALID_RECORD`
   */
  add(
    sessionID: string,
    fields: MessageFields,
    parts: readonly PartFields[] = [],
  ): Promise<MessageWithParts> {
    const { storage, locks, publish } = this.#context
    return locks.exclusive(sessionID, async () => {
      await readSession(this.#context, sessionID)
      const info = createMessage(this.#context, sessionID, fields)
      if (info.role === "assistant") await readMessage(this.#context, { id: info.parentID, sessionID })
      if (fields.id !== undefined && (await hasRecord(this.#context, messageKey(sessionID, info.id))))
        throw new SessionError("EXISTS", `There is a message ${info.id} in session ${sessionID}`)
      const added = { info, parts: parts.map((part) => createPart(this.#context, info, part)) }
      await storage.batch(writesOf(added))
      publish("message.updated", { info: structuredClone(info) })
      for (const part of added.parts) publish("message.part.updated", { part: structuredClone(part) })
      return added
    })
  }

  /** @throws SessionError `NOT_FOUND` */
  get(reference: MessageReference): Promise<Message> {
    return readMessage(this.#context, reference)
  }

  /** @throws SessionError `NOT_FOUND` */
  async getWithParts(reference: MessageReference): Promise<MessageWithParts> {
    const [message] = await withParts(this.#context, [await this.get(reference)])
    return message as MessageWithParts
  }

  /**
   * Lets `edit` change a message.
   *
   * @throws SessionError `NOT_FOUND`, `IMMUTABLE` when ids or the role were changed, `INVALID_RECORD`
   */
  update<Each extends Message = Message>(
    reference: MessageReference,
    edit: (draft: Each) => void,
  ): Promise<Each> {
    const { storage, locks, publish } = this.#context
    const { id, sessionID } = reference
    const key = messageKey(sessionID, id)
    const change = (draft: Each) => {
      const message = asMessage(key, draft)
      const { role } = message
      const result = edit(draft)
      if (message.id !== id || message.sessionID !== sessionID || message.role !== role)
        throw new SessionError("IMMUTABLE", `The ids and the role of message ${id} cannot be changed`)
      checkRecord(Message, message)
      return result
    }
    return locks.exclusive(sessionID, async () => {
      const message = await updateRecord(storage, key, change, () => noMessage(reference))
      publish("message.updated", { info: structuredClone(message) })
      return message
    })
  }

  /**
   * Removes a message with its parts, as one batch.
   *
   * @throws SessionError `NOT_FOUND`
   */
  remove(reference: MessageReference): Promise<void> {
    const { locks, publish } = this.#context
    const { id, sessionID } = reference
    const key = messageKey(sessionID, id)
    return locks.exclusive(sessionID, async () => {
      if (!(await hasRecord(this.#context, key))) throw noMessage(reference)
      await removeAll(this.#context, await keysOfMessage(this.#context, key))
      publish("message.removed", { sessionID, messageID: id })
    })
  }

  /**
   * All messages with their parts, oldest first.
   *
   * @throws SessionError `NOT_FOUND` when there are neither messages nor a session
   */
  load(sessionID: string, options: ReadOptions = {}): Promise<MessageWithParts[]> {
    return loadMessages(this.#context, sessionID, options)
  }

  /** The messages with their parts, newest first, without ever holding more than some of them in memory. */
  stream(sessionID: string, options: ReadOptions = {}): AsyncGenerator<MessageWithParts, void, void> {
    return streamMessages(this.#context, sessionID, options)
  }
}

/** Stores messages; where the batch is not atomic, no message is seen before all of its parts are there. */
export function writesOf({ info, parts }: MessageWithParts): Operation[] {
  return [
    ...parts.map((part) => ({ type: "write", key: partKey(info.id, part.id), value: part }) as const),
    { type: "write", key: messageKey(info.sessionID, info.id), value: info },
  ]
}

function createMessage(
  { identifiers, clock }: SessionContext,
  sessionID: string,
  fields: MessageFields,
): NewUserMessage | NewAssistantMessage {
  return refusing(() => {
    const id = identifiers.ascending("message", fields.id)
    const time = fields.time ?? { created: clock() }
    return fields.role === "user"
      ? newUserMessage({ ...fields, id, sessionID, time })
      : newAssistantMessage({ ...fields, id, sessionID, time })
  })
}
