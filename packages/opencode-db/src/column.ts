import { at, isObject, type JsonObject } from "./json-object.js"

/** What a column holds. */
export type SqlValue = string | number | Uint8Array | null

/** A row, or the part of it that matters. */
export type Row = Readonly<Record<string, SqlValue>>

/** A column that holds one field of a record. */
export interface Column {
  readonly name: string
  /** Where the field is in the record, such as `["time", "created"]`. */
  readonly path: readonly [string] | readonly [string, string]
  /** What the column holds for a field; `null` for what it cannot hold. */
  encode(field: unknown): SqlValue
  /** The field that a column tells of; `undefined` for none. */
  decode(value: SqlValue): unknown
  /** What a column that must not be empty holds for a record without the field. */
  fallback?(record: JsonObject, id: string): SqlValue
}

type Path = Column["path"]

const encodeText = (field: unknown) => (typeof field === "string" ? field.toWellFormed() : null)
const asItIs = (value: SqlValue) => value ?? undefined

export function textColumn(name: string, ...path: Path): Column {
  return { name, path, encode: encodeText, decode: asItIs }
}

/** A text that must not be null, where empty stands for none. */
export function requiredTextColumn(name: string, ...path: Path): Column {
  return { name, path, encode: encodeText, decode: (value) => value || undefined, fallback: () => "" }
}

export function numberColumn(name: string, ...path: Path): Column {
  return { name, path, encode: encodeNumber, decode: asItIs }
}

/** A number that must not be null. */
export function requiredNumberColumn(
  name: string,
  fallback: (record: JsonObject, id: string) => number,
  ...path: Path
): Column {
  return { name, path, encode: encodeNumber, decode: asItIs, fallback }
}

/** A column of JSON. opencode reads it without a look at its form, so that only what `isSound` goes in. */
export function jsonColumn(name: string, isSound: (field: unknown) => boolean, ...path: Path): Column {
  return {
    name,
    path,
    encode: (field) => (isSound(field) ? JSON.stringify(field) : null),
    decode: (value) => (value === null ? undefined : (JSON.parse(String(value)) ?? undefined)),
  }
}

/** The columns of a record. */
export function encodeColumns(columns: readonly Column[], record: JsonObject, id: string): Row {
  const row: Record<string, SqlValue> = {}
  for (const column of columns) {
    row[column.name] = column.encode(at(record, column.path)) ?? column.fallback?.(record, id) ?? null
  }
  return row
}

/** The record that a row tells of, with its fields in the order of the columns. */
export function decodeColumns(columns: readonly Column[], row: Row): JsonObject {
  const record: Record<string, unknown> = {}
  for (const { name, path, decode } of columns) {
    const value = decode(row[name] ?? null)
    if (value === undefined) continue
    const [outer, inner] = path
    if (inner === undefined) record[outer] = value
    else record[outer] = { ...(isObject(record[outer]) ? record[outer] : {}), [inner]: value }
  }
  return record
}

function encodeNumber(field: unknown): SqlValue {
  return Number.isFinite(field) ? (field as number) : null
}
