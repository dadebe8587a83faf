import { isIdentifier } from "@sessile/core/identifier"
import {
  type Column,
  decodeColumns,
  encodeColumns,
  jsonColumn,
  numberColumn,
  type Row,
  requiredNumberColumn,
  requiredTextColumn,
  textColumn,
} from "./column.js"
import { isObject, type JsonObject, without } from "./json-object.js"
import { projectCreated, projectUpdated, sessionCreated, sessionUpdated } from "./record-time.js"
import type { RowRecord } from "./row-record.js"
import { isMarked, withFilled, withoutFilled } from "./wanted-fields.js"

/** What is known of a record from others. */
export interface GivenFields {
  /** The session that a part really belongs to. */
  readonly sessionID?: string
  /** Fields that the record lacks. */
  readonly filled?: JsonObject
}

/** The ids of a message, or those of a part. */
interface Ids {
  readonly id: string
  readonly sessionID: string
  readonly messageID?: string
}

/** A kind of record that is kept in a table, which has the name of the kind. */
export interface RecordKind {
  readonly name: string
  /** Whether a record is a list with a row for each of its items, in the order of `position`. */
  readonly isList?: boolean
  /** The columns for the segments of the key behind the first one. */
  readonly keyColumns: readonly string[]
  /** The other columns that are filled. */
  readonly columns: readonly string[]
  /** Those of all these columns that are never null. */
  readonly required: readonly string[]
  /** The fields in which a record repeats its key. */
  readonly ids: readonly string[]
  /** Why a value cannot be a record of this kind; `undefined` when it can. */
  refuse(value: unknown): string | undefined
  /** The columns of the fields that are not part of the body, where a row holds the whole body of a record. */
  readonly besideBody?: Readonly<Record<string, string>>
  /** The rows of a record that is not refused. */
  encode(record: RowRecord, given?: GivenFields): readonly Row[]
  /** The inverse of `encode`, as far as the columns hold it. */
  decode(rows: readonly Row[]): unknown
}

const times = ["time_created", "time_updated"]

const project = spread(
  "project",
  ["id"],
  ["id"],
  [
    textColumn("id", "id"),
    requiredTextColumn("worktree", "worktree"),
    textColumn("vcs", "vcs"),
    { ...jsonColumn("sandboxes", Array.isArray, "sandboxes"), fallback: () => "[]" },
    requiredNumberColumn("time_created", projectCreated, "time", "created"),
    requiredNumberColumn("time_updated", projectUpdated, "time", "updated"),
    numberColumn("time_initialized", "time", "initialized"),
    textColumn("name", "name"),
    textColumn("icon_url", "icon", "url"),
    textColumn("icon_url_override", "icon", "override"),
    textColumn("icon_color", "icon", "color"),
    jsonColumn("commands", isObject, "commands"),
  ],
)

const session = spread(
  "session",
  ["project_id", "id"],
  ["id", "projectID"],
  [
    textColumn("id", "id"),
    requiredTextColumn("slug", "slug"),
    requiredTextColumn("version", "version"),
    textColumn("project_id", "projectID"),
    requiredTextColumn("directory", "directory"),
    textColumn("path", "path"),
    textColumn("parent_id", "parentID"),
    requiredTextColumn("title", "title"),
    jsonColumn("permission", Array.isArray, "permission"),
    requiredNumberColumn("time_created", sessionCreated, "time", "created"),
    requiredNumberColumn("time_updated", sessionUpdated, "time", "updated"),
    numberColumn("time_compacting", "time", "compacting"),
    numberColumn("time_archived", "time", "archived"),
    numberColumn("summary_additions", "summary", "additions"),
    numberColumn("summary_deletions", "summary", "deletions"),
    numberColumn("summary_files", "summary", "files"),
    jsonColumn("summary_diffs", Array.isArray, "summary", "diffs"),
    textColumn("share_url", "share", "url"),
    jsonColumn("revert", isRevert, "revert"),
    textColumn("workspace_id", "workspaceID"),
    textColumn("agent", "agent"),
    jsonColumn("model", isModel, "model"),
    jsonColumn("metadata", isObject, "metadata"),
  ],
)

const message: RecordKind = {
  name: "message",
  keyColumns: ["session_id", "id"],
  columns: ["data", ...times],
  required: ["session_id", "id", "data", ...times],
  ids: ["id", "sessionID"],
  refuse: refuseOthersThanObjects,
  besideBody: { id: "id", sessionID: "session_id" },
  encode: (record, { filled = {} } = {}) => {
    const [, session_id = "", id = ""] = record.key
    const ids = { id, sessionID: session_id }
    const data = encodeBody(ids, record.value as JsonObject, filled)
    return [{ session_id, id, data }]
  },
  decode: ([row]) => {
    const ids = { id: row?.id, sessionID: row?.session_id }
    return Object.assign(decodeBody(ids, row), ids)
  },
}

// A part's key does not tell its session. One that its message contradicts, or that is missing, is kept in the
// body, where opencode passes over it.
const part: RecordKind = {
  name: "part",
  keyColumns: ["message_id", "id"],
  columns: ["session_id", "data", ...times],
  required: ["message_id", "id", "session_id", "data", ...times],
  ids: ["id", "messageID"],
  refuse: refuseOthersThanObjects,
  besideBody: { id: "id", sessionID: "session_id", messageID: "message_id" },
  encode: (record, { sessionID = "", filled = {} } = {}) => {
    const [, message_id = "", id = ""] = record.key
    const ids = { id, sessionID, messageID: message_id }
    const data = encodePart(ids, record.value as JsonObject, filled)
    return [{ message_id, id, session_id: sessionID, data }]
  },
  decode: ([row]) => {
    const ids = { id: row?.id, messageID: row?.message_id }
    const part = decodeBody({ id: row?.id, sessionID: row?.session_id, messageID: row?.message_id }, row)
    return Object.assign(part, ids, { sessionID: part.sessionID ?? undefined })
  },
}

const todoColumns = [
  requiredTextColumn("content", "content"),
  requiredTextColumn("status", "status"),
  requiredTextColumn("priority", "priority"),
]

const todo: RecordKind = {
  name: "todo",
  isList: true,
  keyColumns: ["session_id"],
  columns: ["position", "content", "status", "priority", ...times],
  required: ["session_id", "position", "content", "status", "priority", ...times],
  ids: [],
  refuse: (value) => (Array.isArray(value) ? undefined : "It is not a list"),
  encode: ({ key: [, session_id = ""], value }) => {
    return (value as readonly unknown[]).map((item, position) => {
      return { session_id, position, ...encodeColumns(todoColumns, isObject(item) ? item : {}, "") }
    })
  },
  decode: (rows) => rows.map((row) => decodeColumns(todoColumns, row)),
}

const sessionShare = spread(
  "session_share",
  ["session_id"],
  [],
  [requiredTextColumn("id", "id"), requiredTextColumn("secret", "secret"), requiredTextColumn("url", "url")],
)

/** The kinds that have a table, owners before what they own. */
export const recordKinds: readonly RecordKind[] = [project, session, message, part, todo, sessionShare]

/** The kind of what the rows of a session tell beyond its records. It has no table: the rows themselves hold it. */
export const ROW_TIMES = "row_times"

/** The names of all kinds that are in the database, owners before what they own. */
export const databaseKinds: ReadonlySet<string> = new Set([...recordKinds.map(({ name }) => name), ROW_TIMES])

/** Those of them that are or belong to sessions. */
export const sessionKinds: readonly string[] = [...databaseKinds].filter((name) => name !== project.name)

/** The first segment of an encoded key. */
export function kindName(key: string): string {
  const end = key.indexOf("\0")
  return end === -1 ? key : key.slice(0, end)
}

/** A kind whose records are spread over the columns of one row. */
function spread(
  name: string,
  keyColumns: readonly string[],
  ids: readonly string[],
  columns: readonly Column[],
): RecordKind {
  return {
    name,
    keyColumns,
    columns: [...columns.map((column) => column.name), ...times],
    required: [
      ...keyColumns,
      ...columns.filter((column) => column.fallback).map(({ name }) => name),
      ...times,
    ],
    ids,
    refuse: refuseOthersThanObjects,
    encode: ({ key, value }) => {
      const keys = Object.fromEntries(keyColumns.map((column, index) => [column, key[index + 1] as string]))
      return [{ ...encodeColumns(columns, value as JsonObject, key.at(-1) as string), ...keys }]
    },
    decode: ([row = {}]) => decodeColumns(columns, row),
  }
}

function refuseOthersThanObjects(value: unknown): string | undefined {
  return isObject(value) ? undefined : "It is not an object"
}

function encodePart(ids: Ids, part: JsonObject, filled: JsonObject): string {
  const { sessionID: said = null } = part
  if (said === ids.sessionID) return encodeBody(ids, part, filled)
  return encodeBody(
    without({ ...ids }, ["sessionID"]),
    { sessionID: said, ...without(part, ["sessionID"]) },
    filled,
  )
}

/** The text of a record without its ids. */
function encodeBody(ids: object, record: JsonObject, filled: JsonObject): string {
  const isWhole = !isMarked(record) && Object.keys(filled).length === 0
  const text = isWhole ? JSON.stringify(record) : ""
  // Nearly always the ids come first, and cutting them off is faster than copying the rest.
  const start = `${JSON.stringify(ids).slice(0, -1)},`
  if (text.startsWith(start)) return `{${text.slice(start.length)}`
  return JSON.stringify(withFilled(without(record, Object.keys(ids)), filled))
}

/** The record whose text without its ids a row holds: the ids, unless it says other ones, and what follows. */
function decodeBody(ids: JsonObject, row: Row | undefined): JsonObject {
  const data = String(row?.data)
  // One object from the outset is faster than a copy.
  if (data.startsWith('{"')) {
    return withoutFilled(JSON.parse(`${JSON.stringify(ids).slice(0, -1)},${data.slice(1)}`))
  }
  const body: unknown = JSON.parse(data)
  if (isObject(body)) return { ...ids, ...withoutFilled(body) }
  throw new SyntaxError("The body is not an object")
}

// opencode lists no session at all when one of them has such a field in another form.
function isRevert(value: unknown): boolean {
  if (!isObject(value) || typeof value.messageID !== "string") return false
  if (value.partID !== undefined && !(typeof value.partID === "string" && isIdentifier("part", value.partID)))
    return false
  return isIdentifier("message", value.messageID)
}

function isModel(value: unknown): boolean {
  return isObject(value) && typeof value.id === "string" && typeof value.providerID === "string"
}
