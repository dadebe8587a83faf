import { compareMessages, compareParts, type TimedRecord } from "../identifier/compare.js"
import type { Message } from "../model/message.js"
import type { Part } from "../model/part.js"
import type { ScanOptions } from "../storage/storage.js"
import { StorageError } from "../storage/storage-error.js"
import type { MessageWithParts } from "./message-with-parts.js"
import type { SessionContext } from "./session-context.js"
import { asMessage, asPart, messageKey, readSession } from "./session-records.js"

/** What to do about records that cannot be read: without `onCorrupt` the first one rejects. */
export type ReadOptions = Pick<ScanOptions, "onCorrupt">

/** How many messages a stream holds at a time. */
const PAGE_SIZE = 32

/** All messages of a session with their parts, oldest first, by one scan of the messages and one of the parts. */
export async function loadMessages(
  context: SessionContext,
  sessionID: string,
  options: ReadOptions = {},
): Promise<MessageWithParts[]> {
  const messages: Message[] = []
  for await (const message of scanMessages(context, sessionID, options)) messages.push(message)
  if (messages.length === 0) await readSession(context, sessionID)
  return withParts(context, messages.sort(compareMessages), options)
}

/** The messages of a session, newest first. Of all but a page of them only time and id are held in memory. */
export async function* streamMessages(
  context: SessionContext,
  sessionID: string,
  options: ReadOptions = {},
): AsyncGenerator<MessageWithParts, void, void> {
  const order: TimedRecord[] = []
  for await (const { id, time } of scanMessages(context, sessionID, options)) {
    order.push({ id, time: { created: time.created } })
  }
  if (order.length === 0) await readSession(context, sessionID)
  order.sort((a, b) => compareMessages(b, a))
  for (let start = 0; start < order.length; start += PAGE_SIZE) {
    const page = order.slice(start, start + PAGE_SIZE)
    const messages = await Promise.all(page.map(({ id }) => readIfThere(context, sessionID, id)))
    yield* await withParts(
      context,
      messages.filter((message) => message !== undefined),
      options,
    )
  }
}

/** The messages of a session without their parts, in no particular order. */
export async function* scanMessages(
  { storage }: SessionContext,
  sessionID: string,
  options: ReadOptions,
): AsyncGenerator<Message, void, void> {
  for await (const { key, value } of storage.scan(["message", sessionID], options)) {
    if (key.length !== 3) continue
    const message = orCorrupt(options, () => asMessage(key, value))
    if (message !== undefined) yield message
  }
}

/** Adds their parts to messages of one session. */
export async function withParts(
  context: SessionContext,
  messages: readonly Message[],
  options: ReadOptions = {},
): Promise<MessageWithParts[]> {
  const complete = new Map(messages.map((info) => [info.id, { info, parts: [] as Part[] }]))
  const prefixes = messages.map(({ id }) => ["part", id])
  for await (const { key, value } of context.storage.scanMany(prefixes, options)) {
    const message = complete.get(key[1] as string)
    if (message === undefined || key.length !== 3) continue
    const part = orCorrupt(options, () => asPart(key, message.info.sessionID, value))
    if (part !== undefined) message.parts.push(latest(context, part))
  }
  for (const { parts } of complete.values()) parts.sort(compareParts)
  return [...complete.values()]
}

/** A part as stored, or with what its writer has added since. */
export function latest(context: SessionContext, part: Part): Part {
  const writer = context.writers.get(part.id)
  return writer === undefined ? part : structuredClone(writer.part)
}

/** What `read` makes of a record, or nothing when that is told to `onCorrupt`. */
export function orCorrupt<T>({ onCorrupt }: ReadOptions, read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (onCorrupt === undefined || !StorageError.is(error, "CORRUPT")) throw error
    onCorrupt(error)
    return undefined
  }
}

// It may have been removed since the stream began.
async function readIfThere(
  { storage }: SessionContext,
  sessionID: string,
  messageID: string,
): Promise<Message | undefined> {
  const key = messageKey(sessionID, messageID)
  try {
    return asMessage(key, await storage.read(key))
  } catch (error) {
    if (StorageError.is(error, "NOT_FOUND")) return undefined
    throw error
  }
}
