import { compareMessages, compareParts } from "@sessile/core/identifier"
import type { Database } from "better-sqlite3"
import type { Row } from "./column.js"
import { at, isObject, type JsonObject } from "./json-object.js"
import { type KnownModels, type Model, modelOf, UNKNOWN_MODEL } from "./known-models.js"
import { noTokens, placeholderMessage } from "./placeholder.js"
import type { RecordGroup } from "./record-group.js"
import { messageCreated } from "./record-time.js"
import type { RowRecord } from "./row-record.js"
import { lackingFields } from "./wanted-fields.js"

/** Where a message stands in its session. */
export interface Place {
  readonly id: string
  readonly time: { readonly created: number }
}

/** A record beside another one. */
interface Neighbour extends Place {
  readonly body: JsonObject
}

/** The messages around a place. */
interface Around {
  readonly before: readonly Neighbour[]
  readonly after: readonly Neighbour[]
}

/** Adds a user message to a session without any, before a place, and returns its id. */
export type NeedParent = (place: Place, session: Row) => string

/**
 * Finds what opencode wants of messages and parts and they do not have, in what they or their neighbours tell: those of
 * one group of records, and those in the database.
 */
export class FieldFiller {
  readonly #database: Database
  readonly #group: RecordGroup
  readonly #models: KnownModels
  readonly #neighbours = new Map<string, readonly Neighbour[]>()

  constructor(database: Database, group: RecordGroup, models: KnownModels) {
    this.#database = database
    this.#group = group
    this.#models = models
  }

  /** The fields that a message made at some time lacks; `needParent` returns the id of a parent if it has none. */
  message(record: RowRecord, created: number, session: Row, needParent: NeedParent): JsonObject {
    const lacking = lackingFields(record)
    if (lacking.length === 0) return {}
    const body = record.value as JsonObject
    const place = { id: record.key[2] as string, time: { created } }
    const around = this.#around(place, session)
    const isModelLacking = ["model", "modelID", "providerID"].some((name) => lacking.includes(name))
    const model = isModelLacking ? this.#model(place, body.role === "user", around) : UNKNOWN_MODEL
    if (body.role === "user") return pick({ ...userFields(around), model, time: { created } }, lacking)
    const parentID = lacking.includes("parentID") ? (userNear(around) ?? needParent(place, session)) : ""
    const known = placeholderMessage(parentID, session, { time: created, model })
    return pick({ ...known, ...modeFields(body), time: { created } }, lacking)
  }

  /** What a message that is missing is replaced by, at some place in a session. */
  placeholder(place: Place, session: Row, needParent: NeedParent): JsonObject {
    const around = this.#around(place, session)
    const parentID = userNear(around) ?? needParent(place, session)
    const model = this.#model(place, false, around)
    return placeholderMessage(parentID, session, { time: place.time.created, model })
  }

  /** The model for a user message at some place in a session. */
  model(place: Place, session: Row): Model {
    return this.#model(place, true, this.#around(place, session))
  }

  /** Looks at the messages of a session anew: one was added that is not of the group. */
  forget(session: Row): void {
    this.#neighbours.delete(String(session.id))
  }

  /** The nearest model that is known: a user message has that of the next message, any other one that of the last. */
  #model(place: Place, isUser: boolean, { before, after }: Around): Model {
    const next = modelOf(after.find(namesModel)?.body)
    const last = modelOf(before.findLast(namesModel)?.body)
    return (isUser ? (next ?? last) : (last ?? next)) ?? this.#models.standIn(place.id)
  }

  #around(place: Place, session: Row): Around {
    const near = Number(session.time_created)
    const others = this.#beside("message", "session_id", String(session.id), near).toSorted(compareMessages)
    return {
      before: others.filter((other) => compareMessages(other, place) < 0),
      after: others.filter((other) => compareMessages(other, place) > 0),
    }
  }

  /** The fields that a part made at some time lacks. */
  part(record: RowRecord, created: number): JsonObject {
    const lacking = lackingFields(record)
    if (lacking.length === 0) return {}
    const [, messageID = "", id = ""] = record.key
    const before = this.#beside("part", "message_id", messageID, created)
      .filter((other) => compareParts(other, { id }) < 0)
      .toSorted(compareParts)
    const begin = before.findLastIndex(({ body }) => body.type === "step-finish") + 1
    const reason = before.slice(begin).some(({ body }) => body.type === "tool") ? "tool-calls" : "stop"
    return pick({ reason, cost: 0, tokens: noTokens, time: { start: created } }, lacking)
  }

  /** What has the same owner, in the group or in the database. */
  #beside(kind: "message" | "part", column: string, owner: string, near: number): readonly Neighbour[] {
    const known = this.#neighbours.get(owner)
    if (known !== undefined) return known
    const found = new Map<string, Neighbour>()
    const rows = this.#database
      .prepare<[string], Row>(
        `SELECT id, time_created, data FROM ${kind} WHERE ${column} = ? AND json_valid(data)`,
      )
      .all(owner)
    for (const { id, time_created, data } of rows) {
      const body: unknown = JSON.parse(String(data))
      if (isObject(body))
        found.set(String(id), { id: String(id), time: { created: Number(time_created) }, body })
    }
    for (const { key, value } of this.#group.ownedBy(owner, kind)) {
      const [, , id = ""] = key
      if (!isObject(value)) continue
      found.set(id, { id, time: { created: messageCreated(value, id, near) }, body: value })
    }
    const neighbours = [...found.values()]
    this.#neighbours.set(owner, neighbours)
    return neighbours
  }
}

const isAssistant = ({ body }: Neighbour) => body.role === "assistant"
const isUser = ({ body }: Neighbour) => body.role === "user"
const namesModel = ({ body }: Neighbour) => modelOf(body) !== undefined

function userNear({ before, after }: Around): string | undefined {
  return (before.findLast(isUser) ?? after.find(isUser))?.id
}

/** What the assistant message after it tells of a user message. */
function userFields({ before, after }: Around): JsonObject {
  const assistant = after.find(isAssistant) ?? before.findLast(isAssistant)
  const told = (name: string) => textAt(assistant?.body, name)
  return { agent: told("agent") ?? told("mode") ?? "build" }
}

/** Early releases called the agent a mode. */
function modeFields(body: JsonObject): JsonObject {
  return { mode: textAt(body, "agent") ?? "build", agent: textAt(body, "mode") ?? "build" }
}

function textAt(body: JsonObject | undefined, name: string): string | undefined {
  const value = at(body, [name])
  return typeof value === "string" ? value : undefined
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
