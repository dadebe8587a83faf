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
  readonly strings: readonly string[]
  readonly hasTime: boolean
}

const forms = new Map<string, Form>([
  ["project", { ids: ["id"], strings: ["worktree"], hasTime: true }],
  ["session", { ids: ["projectID", "id"], strings: ["title", "directory"], hasTime: true }],
  ["message", { ids: ["sessionID", "id"], strings: ["role"], hasTime: true }],
  ["part", { ids: ["messageID", "id"], strings: ["type"], hasTime: false }],
  ["session_diff", { list: true, ids: [], strings: [], hasTime: false }],
  ["todo", { list: true, ids: [], strings: [], hasTime: false }],
])

/** What a record of opencode tells beyond its key; `undefined` when that is nothing. */
export function examine(key: Key, value: unknown): RecordFacts | undefined {
  const form = forms.get(key[0] as string)
  if (form === undefined || key.length !== Math.max(form.ids.length, 1) + 1) return undefined
  if (form.list)
    return Array.isArray(value) ? undefined : { remarks: [`The record is ${kindOf(value)}, not a list`] }
  if (!isObject(value)) return { remarks: [`The record is ${kindOf(value)}, not an object`] }
  const remarks = oddities(key, form, value)
  if (!form.hasTime) return remarks.length > 0 ? { remarks } : undefined
  const time = isObject(value.time) ? value.time : {}
  const facts: { -readonly [Name in keyof RecordFacts]: RecordFacts[Name] } = {}
  if (typeof time.created === "number") facts.created = time.created
  if (typeof time.updated === "number") facts.updated = time.updated
  if (key[0] === "session" && typeof value.parentID === "string") facts.parent = value.parentID
  if (remarks.length > 0) facts.remarks = remarks
  return facts
}

function oddities(key: Key, form: Form, value: Record<string, unknown>): string[] {
  const remarks: string[] = []
  for (const [index, field] of form.ids.entries()) {
    const said = value[field]
    // The path is the truth: what the body says of it may be out of date.
    if (typeof said !== "string" || said === key[index + 1]) continue
    const name = index === form.ids.length - 1 ? "file" : "folder"
    remarks.push(`The ${field} inside does not match the ${name} name`)
  }
  for (const field of form.strings) {
    const found = value[field]
    if (found === undefined || typeof found === "string") continue
    remarks.push(`The field ${field} is ${kindOf(found)}, not a string`)
  }
  if (form.hasTime && value.time !== undefined && !isObject(value.time)) {
    remarks.push(`The field time is ${kindOf(value.time)}, not an object`)
  }
  return remarks
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function kindOf(value: unknown): string {
  if (value === null) return "null"
  if (Array.isArray(value)) return "a list"
  return typeof value === "object" ? "an object" : `a ${typeof value}`
}
