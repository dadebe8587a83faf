import { type NewPart, newPart, Part, type PartType } from "../model/part.js"
import { assertTransition } from "../model/tool-transition.js"
import { type GrowingPart, PartWriter } from "./part-writer.js"
import { latest } from "./read-messages.js"
import { removeAll } from "./remove-message.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import {
  asPart,
  checkRecord,
  hasRecord,
  type MessageReference,
  messageKey,
  noPart,
  orNotFound,
  type PartReference,
  partKey,
  readMessage,
  refusing,
} from "./session-records.js"
import { updateRecord } from "./update-record.js"

/** What a new part says; the rest is filled in. */
export type PartFields = {
  [Type in PartType]: Omit<NewPart<Type>, "id" | "sessionID" | "messageID"> & { readonly id?: string }
}[PartType]

/**
 * The parts of messages: what they say and do. A part that is passed on is known by its `id`, `messageID` and
 * `sessionID`; its other fields do not matter.
 *
 * @example
 * ```ts
 * const part = await sessions.parts.add(message, { type: "text", text: "Done." })
 * await sessions.parts.update<TextPart>(part, (draft) => {
 *   draft.ignored = true
 * })
 * ```
 */
export class Parts {
  readonly #context: SessionContext

  constructor(context: SessionContext) {
    this.#context = context
  }

  /**
   * Adds a part at the end of a message.
   *
   * @throws SessionError `NOT_FOUND`, `EXISTS` for an id that is taken, `INVALID_RECORD`
   */
  add<Fields extends PartFields>(
    message: MessageReference,
    fields: Fields,
  ): Promise<NewPart<Fields["type"]>> {
    const { storage, locks, publish } = this.#context
    return locks.exclusive(message.sessionID, async () => {
      await readMessage(this.#context, message)
      const part = createPart(this.#context, message, fields)
      const key = partKey(message.id, part.id)
      if (fields.id !== undefined && (await hasRecord(this.#context, key)))
        throw new SessionError("EXISTS", `There is a part ${part.id} in message ${message.id}`)
      await storage.write(key, part)
      publish("message.part.updated", { part: structuredClone(part) })
      return part as NewPart<Fields["type"]>
    })
  }

  /** @throws SessionError `NOT_FOUND` */
  async get<Each extends Part = Part>(reference: PartReference): Promise<Each> {
    const { id, messageID, sessionID } = reference
    await readMessage(this.#context, { id: messageID, sessionID })
    const key = partKey(messageID, id)
    const stored = await orNotFound(this.#context.storage.read(key), () => noPart(reference))
    return latest(this.#context, asPart(key, sessionID, stored)) as Each
  }

  /**
   * Lets `edit` change a part. A tool call only takes the steps that `canTransition` allows.
   *
   * @throws SessionError `NOT_FOUND`, `IMMUTABLE` when ids or the type were changed, `INVALID_TRANSITION`,
   * `INVALID_RECORD`
   */
  update<Each extends Part = Part>(reference: PartReference, edit: (draft: Each) => void): Promise<Each> {
    const { locks, publish, writers } = this.#context
    return locks.exclusive(reference.sessionID, async () => {
      await readMessage(this.#context, { id: reference.messageID, sessionID: reference.sessionID })
      const stored = await this.#store(reference, edit as (draft: Part) => void)
      // Whatever a writer has published meanwhile must not be taken back.
      const part = writers.get(reference.id)?.part ?? stored
      publish("message.part.updated", { part: structuredClone(part) })
      return structuredClone(part) as Each
    })
  }

  /** @throws SessionError `NOT_FOUND` */
  remove(reference: PartReference): Promise<void> {
    const { locks, publish } = this.#context
    const { id, messageID, sessionID } = reference
    const key = partKey(messageID, id)
    return locks.exclusive(sessionID, async () => {
      const isThere =
        (await hasRecord(this.#context, messageKey(sessionID, messageID))) &&
        (await hasRecord(this.#context, key))
      if (!isThere) throw noPart(reference)
      await removeAll(this.#context, [key])
      publish("message.part.removed", { sessionID, messageID, partID: id })
    })
  }

  /**
   * Opens a text or reasoning part for growing; see {@link PartWriter}.
   *
   * @throws SessionError `NOT_FOUND`, `EXISTS` while another writer is open, `INVALID_RECORD` for other parts
   */
  write(reference: PartReference): Promise<PartWriter> {
    const { locks, publish, timer, storeInterval, writers } = this.#context
    return locks.exclusive(reference.sessionID, async () => {
      const part = checkRecord(Part, await this.get(reference))
      if (part.type !== "text" && part.type !== "reasoning")
        throw new SessionError(
          "INVALID_RECORD",
          `Part ${part.id} is of type ${part.type}, and has no text to grow`,
        )
      if (writers.has(part.id)) throw new SessionError("EXISTS", `Part ${part.id} is being written`)
      const writer = new PartWriter(part, {
        publish,
        timer,
        interval: storeInterval,
        store: () => locks.exclusive(part.sessionID, () => this.#store(part, () => undefined)),
        finish: async (edit) => {
          const finished = await this.update<GrowingPart>(part, edit)
          writers.delete(part.id)
          return finished
        },
      })
      writers.set(part.id, writer)
      return writer
    })
  }

  /** Changes the stored part, together with what its writer has to add. */
  async #store(reference: PartReference, edit: (draft: Part) => void): Promise<Part> {
    const { storage, writers } = this.#context
    const { id, messageID, sessionID } = reference
    const key = partKey(messageID, id)
    const writer = writers.get(id)
    let completed = ""
    const change = (draft: Part) => {
      const part = asPart(key, sessionID, draft)
      const before = { type: part.type, status: part.type === "tool" ? part.state?.status : undefined }
      completed = writer?.complete(part) ?? ""
      const result = edit(part)
      checkIdentity(reference, before.type, part)
      checkRecord(Part, part)
      const { status } = before
      if (part.type === "tool" && status !== undefined)
        refusing(() => assertTransition(status, part.state.status))
      return result
    }
    const stored = await updateRecord(storage, key, change, () => noPart(reference))
    writer?.noteStored(stored, completed)
    return stored
  }
}

/** Makes a part of a message, and its id where none is given. */
export function createPart(
  { identifiers }: SessionContext,
  message: MessageReference,
  fields: PartFields,
): NewPart {
  return refusing(() => {
    const id = identifiers.ascending("part", fields.id)
    return newPart({ ...fields, id, sessionID: message.sessionID, messageID: message.id } as NewPart)
  })
}

function checkIdentity({ id, messageID, sessionID }: PartReference, type: PartType, part: Part): void {
  const isSame =
    part.id === id && part.messageID === messageID && part.sessionID === sessionID && part.type === type
  if (!isSame) throw new SessionError("IMMUTABLE", `The ids and the type of part ${id} cannot be changed`)
}
