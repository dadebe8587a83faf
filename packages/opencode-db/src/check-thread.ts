import { parentPort, workerData } from "node:worker_threads"
import SqliteDatabase from "better-sqlite3"
import { problemsOf } from "./problems.js"

// The thread of `findProblems`.
const database = new SqliteDatabase(workerData as string, { readonly: true, fileMustExist: true })
// Every page is looked at once.
database.pragma("cache_size = -2000")
let problems: string[]
try {
  problems = problemsOf(database)
} finally {
  // Whoever closes a database last clears its log away, and who only reads it cannot.
  database.close()
}
parentPort?.postMessage(problems)
