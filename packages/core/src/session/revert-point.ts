import { compareParts } from "../identifier/compare.js"
import type { Part } from "../model/part.js"
import type { MessageWithParts } from "./message-with-parts.js"
import { noMessage, noPart } from "./session-records.js"

/** The point to take a session back to: just before a message, or before one of its parts. */
export interface RevertPoint {
  readonly messageID: string
  readonly partID?: string | undefined
}

/**
 * Where a revert stops. Without anything said or done before it, a part stands for its whole message, and an answer
 * goes together with the question.
 *
 * @throws SessionError `NOT_FOUND`
 */
export function resolvePoint(
  messages: readonly MessageWithParts[],
  sessionID: string,
  { messageID, partID }: RevertPoint,
): RevertPoint {
  const index = messages.findIndex(({ info }) => info.id === messageID)
  const message = messages[index]
  if (message === undefined) throw noMessage({ id: messageID, sessionID })
  if (partID !== undefined) {
    const position = message.parts.findIndex(({ id }) => id === partID)
    if (position < 0) throw noPart({ id: partID, messageID, sessionID })
    if (message.parts.slice(0, position).some(({ type }) => type === "text" || type === "tool")) {
      return { messageID, partID }
    }
  }
  const question = messages.slice(0, index + 1).findLast(({ info }) => info.role === "user")
  return { messageID: question?.info.id ?? messageID }
}

/** What comes before the point to which a session was taken back, and what comes from there on. */
export function splitAt(
  messages: readonly MessageWithParts[],
  point: RevertPoint | undefined,
): { readonly before: MessageWithParts[]; readonly after: MessageWithParts[] } {
  const start = messages.findIndex(({ info }) => info.id === point?.messageID)
  const first = messages[start]
  if (first === undefined) return { before: [...messages], after: [] }
  const [before, after] = [messages.slice(0, start), messages.slice(start + 1)]
  const partID = point?.partID
  if (partID === undefined) return { before, after: [first, ...after] }
  const isBefore = (part: Part) => compareParts(part, { id: partID }) < 0
  return {
    before: [...before, { ...first, parts: first.parts.filter(isBefore) }],
    after: [{ ...first, parts: first.parts.filter((part) => !isBefore(part)) }, ...after],
  }
}
