import { compareMessages, compareParts } from "@sessile/core/identifier"
import type { Database } from "better-sqlite3"
import type { Row } from "./column.js"
import { at, isObject, type JsonObject } from "./json-object.js"
import { madeMessage, noTokens } from "./made-owner.js"
import type { RecordGroup } from "./record-group.js"
import { messageCreated } from "./record-time.js"
import type { RowRecord } from "./row-record.js"
import { lackingFields } from "./wanted-fields.js"

/** A record beside another one. */
interface Neighbour {
  readonly id: string
  readonly time: { readonly created: number }
  readonly body: JsonObject
}

/**
 * Finds what opencode wants of messages and parts and they do not have, in what they or their neighbours tell: those of
 * one group of records, and those in the database.
 */
export class FieldFiller {
  readonly #database: Database
  readonly #group: RecordGroup
  readonly #neighbours = new Map<string, readonly Neighbour[]>()

  constructor(database: Database, group: RecordGroup) {
    this.#database = database
    this.#group = group
  }

  /** The fields that a message made at some time lacks. */
  message(record: RowRecord, created: number, session: Row): JsonObject {
    const lacking = lackingFields(record)
    if (lacking.length === 0) return {}
    const [, sessionID = "", id = ""] = record.key
    const message = { id, time: { created }, body: record.value as JsonObject }
    const near = Number(session.time_created)
    const others = this.#beside("message", "session_id", sessionID, near).toSorted(compareMessages)
    const before = others.filter((other) => compareMessages(other, message) < 0)
    const after = others.filter((other) => compareMessages(other, message) > 0)
    const known =
      message.body.role === "user"
        ? questionFields(after.find(isAnswer) ?? before.findLast(isAnswer))
        : answerFields(message, before.findLast(isQuestion), session)
    return pick({ ...known, time: { created } }, lacking)
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

const isAnswer = ({ body }: Neighbour) => body.role === "assistant"
const isQuestion = ({ body }: Neighbour) => body.role === "user"

/** What the answer to a question tells of it. */
function questionFields(answer: Neighbour | undefined): JsonObject {
  const told = (name: string) => textAt(answer?.body, name)
  return {
    agent: told("agent") ?? told("mode") ?? "build",
    model: { providerID: told("providerID") ?? "unknown", modelID: told("modelID") ?? "unknown" },
  }
}

/** What is known of an answer; early releases called the agent a mode. */
function answerFields({ id, body }: Neighbour, question: Neighbour | undefined, session: Row): JsonObject {
  return {
    ...madeMessage(id, session),
    parentID: question?.id ?? id,
    mode: textAt(body, "agent") ?? "build",
    agent: textAt(body, "mode") ?? "build",
  }
}

function textAt(body: JsonObject | undefined, name: string): string | undefined {
  const value = at(body, [name])
  return typeof value === "string" ? value : undefined
}

function pick(fields: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, fields[name]]))
}
