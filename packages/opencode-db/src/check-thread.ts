import { parentPort, workerData } from "node:worker_threads"
import SqliteDatabase from "better-sqlite3"
import { problemsOf } from "./problems.js"

// The thread of `findProblems`.
const database = new SqliteDatabase(workerData as string, { readonly: true, fileMustExist: true })
// Every page is looked at once.
database.pragma("cache_size = -2000")
try {
  parentPort?.postMessage(problemsOf(database))
} finally {
  database.close()
}
