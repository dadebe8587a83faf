import type { Key } from "@sessile/core/storage"

/** What a record tells beyond its key, as far as it tells anything. */
export interface RecordFacts {
  readonly created?: number | undefined
  readonly updated?: number | undefined
  readonly parent?: string | undefined
  /** What is odd about it, without quoting it. */
  readonly remarks?: readonly string[] | undefined
}

/** What the bodies of opencode's records are made of, as far as it decides who finds them. */
interface Form {
  readonly list?: boolean
  /** The fields that repeat the segments of the key behind the first one. */
  readonly ids: readonly string[]
  readonly fields: Readonly<Record<string, "string" | "object">>
}

const forms: Readonly<Record<string, Form>> = {
  project: { ids: ["id"], fields: { worktree: "string", time: "object" } },
  session: { ids: ["projectID", "id"], fields: { title: "string", directory: "string", time: "object" } },
  message: { ids: ["sessionID", "id"], fields: { role: "string", time: "object" } },
  part: { ids: ["messageID", "id"], fields: { type: "string" } },
  session_diff: { list: true, ids: [], fields: {} },
  todo: { list: true, ids: [], fields: {} },
}

/** What a record of opencode tells beyond its key; `undefined` when that is nothing. */
export function examine(key: Key, value: unknown): RecordFacts | undefined {
  const form = forms[key[0] as string]
  if (form === undefined || key.length !== Math.max(form.ids.length, 1) + 1) return undefined
  if (form.list) return Array.isArray(value) ? undefined : { remarks: [`It is ${kindOf(value)}, not a list`] }
  if (!isObject(value)) return { remarks: [`It is ${kindOf(value)}, not an object`] }
  const remarks = [...staleIds(key, form, value), ...wrongTypes(form, value)]
  const time = isObject(value.time) ? value.time : {}
  const facts = {
    ...(typeof time.created === "number" ? { created: time.created } : {}),
    ...(typeof time.updated === "number" ? { updated: time.updated } : {}),
    ...(key[0] === "session" && typeof value.parentID === "string" ? { parent: value.parentID } : {}),
    ...(remarks.length > 0 ? { remarks } : {}),
  }
  return Object.keys(facts).length > 0 ? facts : undefined
}

// The path is the truth: what the body says of it may be out of date.
function staleIds(key: Key, form: Form, value: Record<string, unknown>): string[] {
  return form.ids.flatMap((field, index) => {
    const said = value[field]
    return typeof said === "string" && said !== key[index + 1]
      ? [`Its ${field} is not that of its place`]
      : []
  })
}

function wrongTypes(form: Form, value: Record<string, unknown>): string[] {
  return Object.entries(form.fields).flatMap(([field, expected]) => {
    const found = value[field]
    if (found === undefined || (expected === "object" ? isObject(found) : typeof found === expected))
      return []
    return [`Its ${field} is ${kindOf(found)}, not ${expected === "object" ? "an object" : "a string"}`]
  })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
