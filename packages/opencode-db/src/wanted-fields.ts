import { FILLED_FIELDS, type SessionLines } from "@sessile/core/storage"
import { isObject, type JsonObject, without } from "./json-object.js"
import type { RowRecord } from "./row-record.js"

// Releases from 1.15 on show no message of a session in which one record lacks such a field, and those before 1.1 did
// not write all of them.
const wanted: Readonly<Record<string, ReadonlyMap<unknown, readonly string[]>>> = {
  message: new Map([
    ["user", ["time", "agent", "model"]],
    ["assistant", ["time", "parentID", "modelID", "providerID", "mode", "agent", "path", "cost", "tokens"]],
  ]),
  part: new Map([
    ["step-finish", ["reason", "cost", "tokens"]],
    ["reasoning", ["time"]],
  ]),
}

/** The fields that opencode wants of a record, and that it does not have. */
export function lackingFields({ key: [kind = ""], value }: RowRecord): readonly string[] {
  if (!isObject(value)) return []
  const names = wanted[kind]?.get(kind === "message" ? value.role : value.type) ?? []
  return names.filter((name) => !Object.hasOwn(value, name))
}

// How opencode writes them: in both cases no string can be taken for what is outside of strings.
const WHOLE_STEP_FINISH =
  /^"type":"step-finish","reason":"[^"\\]*",(?:"snapshot":"[^"\\]*",)?"cost":[^,{}[\]"]+,"tokens":/
const END_OF_WHOLE_REASONING = /,"time":\{"start":\d+(?:,"end":\d+)?\}\}$/

/** More than what such a part has in front, or at its end, takes. */
const GLANCE = 200

/**
 * Whether the line of a part lacks any field. Nearly all parts are of types of which nothing is wanted, or are written
 * just as opencode does it, which a glance at the line tells.
 */
export function isLineLacking(lines: SessionLines, position: number): boolean {
  const found = beginnings.find(({ bytes }) => lines.beginsWith(position, bytes))
  if (found === undefined) return false
  const body = lines.body(position)
  const isWhole =
    found.type === "step-finish"
      ? WHOLE_STEP_FINISH.test(body.toString("latin1", 0, GLANCE))
      : END_OF_WHOLE_REASONING.test(body.toString("latin1", Math.max(0, body.length - GLANCE)))
  return !isWhole && lackingFields({ key: ["part"], value: lines.value(position) }).length > 0
}

/** How lines of parts begin of which something is wanted. */
const beginnings = [...(wanted.part?.keys() ?? [])].map((type) => ({
  type,
  bytes: Buffer.from(`"type":${JSON.stringify(type)}`),
}))

/** A body with more fields, and a note of which those are in place of any other. */
export function withFilled(body: JsonObject, filled: JsonObject): JsonObject {
  const own = isMarked(body) ? without(body, [FILLED_FIELDS]) : body
  const names = Object.keys(filled)
  return names.length === 0 ? own : { ...own, ...filled, [FILLED_FIELDS]: names }
}

/** Whether a body has such a note, or looks as if it had. */
export function isMarked(body: JsonObject): boolean {
  return Object.hasOwn(body, FILLED_FIELDS)
}

/** The inverse of {@link withFilled}. */
export function withoutFilled(body: JsonObject): JsonObject {
  const filled = body[FILLED_FIELDS]
  return Array.isArray(filled) ? without(body, [...filled, FILLED_FIELDS]) : body
}
