import { parentPort, workerData } from "node:worker_threads"
import SqliteDatabase, { type Database } from "better-sqlite3"
import { problemsOf } from "./problems.js"

/** What the thread of a `DatabaseCheck` reports: that it needs the name of the file no longer, and what it found. */
export type CheckMessage =
  | { readonly type: "opened" }
  | { readonly type: "done"; readonly problems: string[] }

/** What the thread is to check (see `problemsOf`). */
export interface CheckTask {
  readonly path: string
  readonly isOnlyRead: boolean
}

function check({ path, isOnlyRead }: CheckTask): string[] {
  let database: Database | undefined
  try {
    database = new SqliteDatabase(path, { readonly: true, fileMustExist: true })
    // Every page is looked at once.
    database.pragma("cache_size = -2000")
    // SQLite opens the file only when it has to read it.
    database.pragma("schema_version")
    report({ type: "opened" })
    return problemsOf(database, isOnlyRead)
  } catch (error) {
    if (error instanceof SqliteDatabase.SqliteError) return [`The check could not be made: ${error.code}`]
    throw error
  } finally {
    // Whoever closes a database last clears its log away, and who only reads it cannot.
    database?.close()
  }
}

function report(message: CheckMessage): void {
  parentPort?.postMessage(message)
}

report({ type: "done", problems: check(workerData as CheckTask) })
