import { encodeKey, type Key, StorageError, type TextEntry } from "@sessile/core/storage"
import SqliteDatabase from "better-sqlite3"
import type { RowTable } from "./row-table.js"

/** Why a record cannot be added whose id another one has, under another key. */
export function takenReason(kind: string): string {
  return `There is already a ${kind} of this id in another place`
}

/** That as an error. */
export function taken({ kind }: RowTable, key: Key): StorageError {
  return new StorageError("INVALID_KEY", takenReason(kind.name), { key })
}

/** What keeps a record from being added whose id is taken. */
export function inTheWay(table: RowTable, key: Key): TextEntry {
  return table.read(key) ?? { key: encodeKey(key), error: taken(table, key) }
}

/** What keeps the times of rows from being added to a session that is not new: its rows keep those that they have. */
export function timesInTheWay(key: Key, hasSession: boolean): TextEntry {
  if (hasSession) return { key: encodeKey(key), text: "{}" }
  const message = "There is no session whose rows could have these times"
  return { key: encodeKey(key), error: new StorageError("INVALID_VALUE", message, { key }) }
}

/** Why a part cannot be added of which nobody knows where it belongs. */
export function homeless(key: Key): StorageError {
  const message = "The part's message is missing, and the part does not tell its session"
  return new StorageError("INVALID_VALUE", message, { key })
}

/**
 * What becomes of a record that could not be added: whatever is wrong with it, the others are added all the same.
 *
 * @throws the error, if it is not about the record
 */
export function refusalOf(error: unknown, key: Key): TextEntry {
  if (StorageError.is(error)) return { key: encodeKey(key), error }
  if (!isRefusal(error)) throw error
  const message = "The database does not take the record"
  return { key: encodeKey(key), error: new StorageError("INVALID_VALUE", message, { key, cause: error }) }
}

/** Whether SQLite refused a row for its content, and is fine otherwise. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof SqliteDatabase.SqliteError)) return false
  return error.code.startsWith("SQLITE_CONSTRAINT") || error.code === "SQLITE_TOOBIG"
}
