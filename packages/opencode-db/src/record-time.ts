import { identifierPrefixes, readTimestamp } from "@sessile/core/identifier"
import { at, finiteNumber, type JsonObject } from "./json-object.js"

// An id tells its time up to multiples of 795 days. A record without any other time comes from the years of JSON
// files, which lie around this day.
const MIDDLE_OF_THE_JSON_YEARS = Date.UTC(2026, 0)

/** When something was made, by its id: of all the times that it may mean, the one nearest another. */
export function timeInId(
  entity: "session" | "message" | "part",
  id: string,
  near?: number,
): number | undefined {
  if (!id.startsWith(`${identifierPrefixes[entity]}_`)) return undefined
  return readTimestamp(id, near || MIDDLE_OF_THE_JSON_YEARS)
}

/** When a session was made, as far as its record or its id tells; 0 when nobody knows. */
export function sessionCreated(session: JsonObject, id: string): number {
  return timeField(session, "created") ?? timeField(session, "updated") ?? timeInId("session", id) ?? 0
}

/** When a session was last used. */
export function sessionUpdated(session: JsonObject, id: string): number {
  return timeField(session, "updated") ?? sessionCreated(session, id)
}

/** When a project was made; 0 when nobody knows. */
export function projectCreated(project: JsonObject): number {
  return (
    timeField(project, "created") ?? timeField(project, "updated") ?? timeField(project, "initialized") ?? 0
  )
}

/** When a project was last used. */
export function projectUpdated(project: JsonObject): number {
  return timeField(project, "updated") ?? projectCreated(project)
}

/** When a message was made, in a session of a certain time. */
export function messageCreated(message: unknown, id: string, session: number): number {
  return timeField(message, "created") ?? timeInId("message", id, session) ?? session
}

/** When a message that was made at some time was last changed. */
export function messageUpdated(message: unknown, created: number): number {
  return timeField(message, "completed") ?? created
}

/** When a part was made, in a message of a certain time. */
export function partCreated(id: string, message: number): number {
  return timeInId("part", id, message) ?? message
}

/** A time of a record, in milliseconds. */
export function timeField(record: unknown, name: string): number | undefined {
  return finiteNumber(at(record, ["time", name]))
}
