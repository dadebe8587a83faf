import { once } from "node:events"
import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Database } from "better-sqlite3"

// Found from the sources too, which tests run.
const THREAD = new URL("../dist/check-thread.js", import.meta.url)

/**
 * {@link problemsOf} in a thread of its own, since it reads everything: others can do something else meanwhile. Where this
 * thread and one that reads a source take all there is, a third one would only cost its start.
 */
export async function findProblems(
  database: Database,
  isRoomForThreads = availableParallelism() > 2,
): Promise<string[]> {
  // What is only read may be a copy that nobody else can open.
  if (database.memory || database.readonly || !isRoomForThreads) return problemsOf(database)
  const [problems] = (await once(new Worker(THREAD, { workerData: database.name }), "message")) as [string[]]
  return problems
}

/** What is wrong with a database, in SQLite's words; empty when nothing is. */
export function problemsOf(database: Database): string[] {
  const faults = database.pragma("integrity_check") as { integrity_check: string }[]
  const orphans = database.pragma("foreign_key_check") as { table: string; rowid: number; parent: string }[]
  return [
    ...faults.map((fault) => fault.integrity_check).filter((text) => text !== "ok"),
    ...orphans.map(({ table, rowid, parent }) => `row ${rowid} of ${table} belongs to no row of ${parent}`),
  ]
}
