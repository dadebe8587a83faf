import type { z } from "zod"
import { IdentifierError } from "../identifier/identifier-error.js"
import { checkModel } from "../model/check-model.js"
import type { Message } from "../model/message.js"
import { ModelError } from "../model/model-error.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import { ToolTransitionError } from "../model/tool-transition.js"
import type { Key } from "../storage/key.js"
import { StorageError } from "../storage/storage-error.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"

/** Names a message; a `Message` does. */
export interface MessageReference {
  readonly id: string
  readonly sessionID: string
}

/** Names a part; a `Part` does. */
export interface PartReference extends MessageReference {
  readonly messageID: string
}

export function sessionKey(projectID: string, sessionID: string): Key {
  return ["session", projectID, sessionID]
}

export function messageKey(sessionID: string, messageID: string): Key {
  return ["message", sessionID, messageID]
}

export function partKey(messageID: string, partID: string): Key {
  return ["part", messageID, partID]
}

/**
 * The stored record itself, with the ids that its key tells; so do those below. Only what an order or a decision
 * depends on is checked: records of other tools and of later releases shall be readable too.
 *
 * @throws StorageError `CORRUPT`
 */
export function asSession(key: Key, value: unknown): Session {
  const session = value as Session | null
  const { created, updated } = session?.time ?? {}
  if (typeof session?.title !== "string" || !Number.isFinite(created) || !Number.isFinite(updated)) {
    throw corrupt(key, "session: it needs title, time.created and time.updated")
  }
  return Object.assign(session, { id: key[2], projectID: key[1] })
}

export function asMessage(key: Key, value: unknown): Message {
  const message = value as Message | null
  const hasRole = message?.role === "user" || message?.role === "assistant"
  if (!hasRole || !Number.isFinite(message.time?.created)) {
    throw corrupt(key, "message: it needs role and time.created")
  }
  message.id = key[2] as string
  message.sessionID = key[1] as string
  return message
}

export function asPart(key: Key, sessionID: string, value: unknown): Part {
  const part = value as Part | null
  if (typeof part?.type !== "string") throw corrupt(key, "part: it needs a type")
  part.id = key[2] as string
  part.sessionID = sessionID
  part.messageID = key[1] as string
  return part
}

/** @throws SessionError `NOT_FOUND` */
export async function readSession(context: SessionContext, sessionID: string): Promise<Session> {
  const key = sessionKey(context.projectID, sessionID)
  return asSession(key, await orNotFound(context.storage.read(key), () => noSession(sessionID)))
}

/** @throws SessionError `NOT_FOUND` */
export async function readMessage(context: SessionContext, reference: MessageReference): Promise<Message> {
  const key = messageKey(reference.sessionID, reference.id)
  return asMessage(key, await orNotFound(context.storage.read(key), () => noMessage(reference)))
}

/** Whether there is a record, be it readable or not. */
export async function hasRecord({ storage }: SessionContext, key: Key): Promise<boolean> {
  return (await storage.list(key.slice(0, -1), { gte: key, lte: key })).length > 0
}

/** Says what is missing in the words of sessions, where a store speaks of keys. */
export async function orNotFound<T>(reading: Promise<T>, missing: () => SessionError): Promise<T> {
  try {
    return await reading
  } catch (error) {
    throw StorageError.is(error, "NOT_FOUND") ? missing() : error
  }
}

export function noSession(sessionID: string): SessionError {
  return new SessionError("NOT_FOUND", `There is no session ${sessionID} in this project`)
}

export function noMessage({ id, sessionID }: MessageReference): SessionError {
  return new SessionError("NOT_FOUND", `There is no message ${id} in session ${sessionID}`)
}

export function noPart({ id, messageID }: PartReference): SessionError {
  return new SessionError("NOT_FOUND", `There is no part ${id} in message ${messageID}`)
}

/** Refuses what does not fit its model; unknown fields pass. */
export function checkRecord<T>(model: z.ZodType<T, T>, value: unknown): T {
  return refusing(() => checkModel(model, value))
}

/** Makes or checks something that was given, and tells what is wrong with it as a `SessionError`. */
export function refusing<T>(action: () => T): T {
  try {
    return action()
  } catch (error) {
    if (error instanceof ToolTransitionError) {
      throw new SessionError("INVALID_TRANSITION", error.message, { cause: error })
    }
    if (error instanceof ModelError || IdentifierError.is(error)) {
      throw new SessionError("INVALID_RECORD", error.message, { cause: error })
    }
    throw error
  }
}

function corrupt(key: Key, problem: string): StorageError {
  return new StorageError("CORRUPT", `The record is no ${problem}`, { key })
}
