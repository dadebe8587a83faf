import { checksum, decodeKey, StorageError, type TextEntry, Utf8Record } from "@sessile/core/storage"

/** The string of a larger value would take another copy of it, and hashing that one more. */
const LARGE_VALUE = 64 * 1024

/** The columns of a record that {@link entryOf} needs, with its key as text. */
export const RECORD_COLUMNS = "CAST(key AS TEXT), checksum, value"

/** A value as text, or in UTF-8 where it is large. */
export const BULK_VALUE = `CASE WHEN octet_length(value) > ${LARGE_VALUE} THEN CAST(value AS BLOB) ELSE value END`

/** The columns of a record, with large values in UTF-8. */
export const BULK_COLUMNS = `CAST(key AS TEXT), checksum, ${BULK_VALUE}`

/** A row of these columns. What a damaged database has in them may be anything. */
export type RecordRow = readonly [key: unknown, checksum: unknown, value: unknown]

/** The text of a record if it matches its checksum, or the error that says that it does not. */
export function verifiedText(key: string, sum: unknown, value: unknown, path: string): string | StorageError {
  return typeof value === "string" && checksum(key, value) === sum ? value : alteredRecord(key, path)
}

/** A record as it was stored, or with the reason why it cannot be had. */
export function entryOf(key: string, sum: unknown, value: unknown, path: string): TextEntry {
  if (typeof value === "string") {
    if (checksum(key, value) === sum) return { key, text: value }
    return { key, error: alteredRecord(key, path), raw: value }
  }
  if (Buffer.isBuffer(value) && checksum(key, value) === sum) return new Utf8Record(key, value)
  return { key, error: alteredRecord(key, path), raw: Buffer.isBuffer(value) ? value.toString() : undefined }
}

/** The same for a row, whose key may be damaged beyond being one. */
export function entryOfRow([key, sum, value]: RecordRow, path: string): TextEntry {
  if (typeof key === "string" && key !== "") return entryOf(key, sum, value, path)
  const error = new StorageError("CORRUPT", "The key of a record is damaged", { path })
  return { key: "\uFFFD", error, raw: typeof value === "string" ? value : undefined }
}

function alteredRecord(key: string, path: string): StorageError {
  const message = "The record does not match its checksum: it was altered outside of the store"
  return new StorageError("CORRUPT", message, { key: decodeKey(key), path })
}
