import { open as openFile, realpath, stat } from "node:fs/promises"
import { StorageError } from "@sessile/core/storage"
import { isDamage, isOpenHere, sqliteFault, walkTable } from "@sessile/storage-sqlite/sqlite"
import type { Database } from "better-sqlite3"
import { openDatabaseUntouched } from "./open-database.js"

/** How many records of each kind a database holds, those that can be read where it is damaged. */
export interface RecordCounts {
  readonly project: number
  readonly session: number
  readonly message: number
  readonly part: number
}

/**
 * What is at a path: a database of opencode's, with the records of 1.x that are in it, one of 2.x that has none,
 * something else, or nothing.
 */
export type DetectedDatabase =
  | { readonly kind: "opencode-1" | "opencode-2"; readonly counts: RecordCounts }
  | { readonly kind: "opencode-2-only" | "other" | "none" }

const HEADER = "SQLite format 3\0"

/**
 * Tells what is at a path, without changing or making anything there.
 *
 * @throws StorageError `DENIED`, `IO`, `CORRUPT` for a damaged database
 *
 * @example
 * ```ts
 * await detectOpencodeDatabase(opencodePaths().database)
 * // { kind: "opencode-1", counts: { project: 3, session: 120, message: 4010, part: 17230 } }
 * ```
 */
export async function detectOpencodeDatabase(path: string): Promise<DetectedDatabase> {
  try {
    if (!(await hasHeader(path))) return { kind: "other" }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === "ENOENT" || code === "ENOTDIR") return { kind: "none" }
    throw sqliteFault("look at the file", error, path)
  }
  return inspect(path)
}

async function inspect(path: string): Promise<DetectedDatabase> {
  try {
    const { database, schema, close } = await openDatabaseUntouched(path)
    try {
      const counts = {
        project: countRows(database, "project"),
        session: countRows(database, "session"),
        message: countRows(database, "message"),
        part: countRows(database, "part"),
      }
      return { kind: schema.era === "2.x" ? "opencode-2" : "opencode-1", counts }
    } finally {
      close()
    }
  } catch (error) {
    if (StorageError.is(error, "INVALID_ARGUMENT")) return { kind: "other" }
    if (StorageError.is(error, "UNSUPPORTED")) return { kind: "opencode-2-only" }
    throw sqliteFault("look at the database", error, path)
  }
}

// A damaged index may have fewer entries than its table has rows.
function countRows(database: Database, table: string): number {
  try {
    return database.prepare(`SELECT count(*) FROM ${table} NOT INDEXED`).pluck().get() as number
  } catch (error) {
    if (!isDamage(error)) throw error
    let rows = 0
    walkTable(database, { table, columns: "NULL", visit: () => rows++ })
    return rows
  }
}

async function hasHeader(path: string): Promise<boolean> {
  if (!(await stat(path)).isFile()) return false
  // Closing the file would drop the locks of the connections to it, and SQLite knows what it has open.
  if (isOpenHere(await realpath(path))) return true
  await using file = await openFile(path)
  const { buffer } = await file.read(Buffer.alloc(HEADER.length), 0, HEADER.length, 0)
  return buffer.toString("latin1") === HEADER
}
