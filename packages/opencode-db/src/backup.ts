import { closeSync, existsSync, openSync } from "node:fs"
import { rename, rm } from "node:fs/promises"
import { StorageError } from "@sessile/core/storage"
import SqliteDatabase, { type Database } from "better-sqlite3"

/**
 * Copies a database while others use it, and makes sure that the copy is sound. The file must not exist yet; it has
 * its name only when it is whole.
 */
export async function backUp(database: Database, path: string): Promise<void> {
  if (existsSync(path)) throw new StorageError("IO", "There is already a backup of this name", { path })
  const partial = `${path}.partial`
  closeSync(openSync(partial, "wx", 0o600))
  try {
    await database.backup(partial)
    verify(partial)
    await rename(partial, path)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
}

function verify(path: string): void {
  const copy = new SqliteDatabase(path)
  try {
    // One plain file, without a log beside it.
    copy.pragma("journal_mode = DELETE")
    const result = copy.pragma("integrity_check(1)", { simple: true })
    if (result !== "ok") throw new StorageError("CORRUPT", `The backup is damaged: ${result}`, { path })
  } finally {
    copy.close()
  }
}
