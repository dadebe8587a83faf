import { open, realpath } from "node:fs/promises"
import { sqliteFault } from "./sqlite-fault.js"

/**
 * Waits until all that has been committed to a database is on the disk, whatever its durability. The newest commits
 * are in the write-ahead log, and what has been moved on to the database stays in the log until SQLite has synced
 * the database: syncing the log is enough. A checkpoint would do that too, but not while somebody else reads or
 * makes one. SQLite puts no locks on the log, so that opening and closing it here lets go of none.
 */
export async function syncLog(path: string): Promise<void> {
  try {
    // SQLite puts it beside the file itself, not beside a link to it.
    await using log = await open(`${await realpath(path)}-wal`, "r+")
    await log.sync()
  } catch (error) {
    // Without a log every commit has waited for the disk.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT")
      throw sqliteFault("sync the database", error, path)
  }
}
