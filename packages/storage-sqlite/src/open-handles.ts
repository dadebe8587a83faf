import { statSync } from "node:fs"
import type { Database } from "better-sqlite3"

const handles = new Set<Database>()

/** Notes that this process has opened a database; closing it needs no word. */
export function noteOpen(database: Database): void {
  handles.add(database)
}

/**
 * Whether this process has a database open. Whoever then opens and closes its file by other means lets go of the locks
 * that SQLite has on it: on POSIX systems they are the process's, not the handle's.
 */
export function isOpenHere(path: string): boolean {
  const { dev, ino } = statSync(path)
  for (const handle of handles) {
    const file = handle.open ? statSync(handle.name, { throwIfNoEntry: false }) : undefined
    if (file === undefined) handles.delete(handle)
    else if (file.dev === dev && file.ino === ino) return true
  }
  return false
}
