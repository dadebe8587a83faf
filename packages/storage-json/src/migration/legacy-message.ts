import { createHash } from "node:crypto"
import { isObject, type JsonObject, parseObject } from "./json-object.js"
import { messageOfFirstForm } from "./message-of-first-form.js"
import { recordText } from "./record-text.js"

/** A message whose parts were inside it, as message and parts of their own. */
export interface SplitMessage {
  readonly message: string
  readonly parts: readonly { readonly id: string; readonly text: string }[]
  readonly remark?: string
}

/** The ids that the path of a message gives. */
export interface MessageIds {
  readonly session: string
  readonly message: string
}

const MARKS = ['"parts"', '"metadata"'].map((mark) => Buffer.from(mark))

/**
 * Takes the parts out of a message of opencode before 0.4, which kept them inside: up to 0.1 in a form of their own
 * (see {@link messageOfFirstForm}), later as they are today but for their ids. `undefined` for any other message.
 */
export function splitMessage(content: Buffer, ids: MessageIds): SplitMessage | undefined {
  // Most messages have neither, and parsing all of them would take long.
  const value = MARKS.some((mark) => content.includes(mark)) ? parseObject(content) : undefined
  if (value === undefined) return undefined
  const { metadata, parts: inside } = value
  const hasParts = Array.isArray(inside)
  const isOfFirstForm = isObject(metadata) && (hasParts || isObject(metadata.time))
  if (!hasParts && !isOfFirstForm) return undefined
  const { message, parts, odd } = isOfFirstForm
    ? messageOfFirstForm(value, metadata, hasParts ? inside : [], ids)
    : messageWithParts(value, hasParts ? inside : [])
  const owner = { sessionID: ids.session, messageID: ids.message }
  const records = parts.map(({ id: given, sessionID: _session, messageID: _message, ...part }, index) => {
    const id = typeof given === "string" && given.startsWith("prt_") ? given : partId(ids.message, index)
    return { id, text: recordText({ id, ...owner, ...part }) }
  })
  const remarks = [
    ...(hasParts ? [] : ["it has no list of parts"]),
    ...(odd.length === 0 ? [] : [`${odd.length} of its parts are of no known type; kept in it`]),
  ]
  const remark = remarks.length === 0 ? {} : { remark: remarks.join("; ") }
  return { message: recordText(message), parts: records, ...remark }
}

/** Parts as they are today; what has become `callID` was the `id` of a tool part. */
function messageWithParts(value: JsonObject, inside: readonly unknown[]) {
  const { parts: _, ...message } = value
  const odd = inside.filter((part) => !isObject(part))
  const parts = inside
    .filter(isObject)
    .map((part) => (part.type === "tool" ? { callID: part.id, ...part } : part))
  return { message: odd.length > 0 ? { ...message, parts: odd } : message, parts, odd }
}

/** An id that is the same each time, and in the order of the parts. */
function partId(message: string, index: number): string {
  const time = /^msg_([0-9a-f]{12})/.exec(message)?.[1] ?? digest(message).slice(0, 12)
  return `prt_${time}${String(index).padStart(6, "0")}${digest(message).slice(-8)}`
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}
