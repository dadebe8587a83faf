import { join } from "node:path"
import Database from "better-sqlite3"
import type { SampleSession } from "../sample-records.js"
import type { StoreKind } from "./store.js"

/** better-sqlite3 by hand: prepared statements, WAL, synchronous NORMAL, one transaction for each batch. */
export const betterSqlite: StoreKind = {
  name: "better-sqlite3",
  mostSessions: 100_000,
  async open(folder) {
    const database = new Database(join(folder, "store.db"))
    database.pragma("journal_mode = WAL")
    database.pragma("synchronous = NORMAL")
    database.exec(`
      CREATE TABLE record (key TEXT PRIMARY KEY, value TEXT NOT NULL);
      CREATE TABLE session (id TEXT PRIMARY KEY, parent TEXT, created INTEGER, updated INTEGER, value TEXT NOT NULL);
      CREATE INDEX session_updated ON session (updated);
      CREATE INDEX session_parent ON session (parent, created);
    `)
    const put = database.prepare(
      "INSERT INTO record VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
    )
    const get = database.prepare<[string], string>("SELECT value FROM record WHERE key = ?").pluck()
    const range = database.prepare<[string, string], { key: string; value: string }>(
      "SELECT key, value FROM record WHERE key > ? AND key < ? ORDER BY key",
    )
    const addSession = database.prepare("INSERT INTO session VALUES (?, ?, ?, ?, ?)")
    const newest = database
      .prepare<[number], string>("SELECT value FROM session ORDER BY updated DESC LIMIT ?")
      .pluck()
    const children = database
      .prepare<[string], string>("SELECT value FROM session WHERE parent = ? ORDER BY created")
      .pluck()
    const below = function* (prefix: string) {
      for (const { key, value } of range.iterate(`${prefix}/`, `${prefix}0`))
        yield { key, value: JSON.parse(value) }
    }
    return {
      async write(records) {
        for (const { key, value } of records) put.run(key.join("/"), JSON.stringify(value))
      },
      async read(keys) {
        for (const key of keys) JSON.parse(get.get(key.join("/")) as string)
      },
      batch: async (records) =>
        database.transaction(() => {
          for (const { key, value } of records) put.run(key.join("/"), JSON.stringify(value))
        })(),
      scanMessages: async () => countOf(below("message")),
      async loadSession(sessionID) {
        const messages = [...below(`message/${sessionID}`)]
        return messages.reduce(
          (count, { value }) => count + countOf(below(`part/${value.id}`)),
          messages.length,
        )
      },
      addSessions: async (sessions) =>
        database.transaction(() => {
          for (const { value } of sessions) {
            const { created, updated } = value.time
            addSession.run(value.id, value.parentID ?? null, created, updated, JSON.stringify(value))
          }
        })(),
      newest: async (count) => newest.all(count).map((text) => JSON.parse(text) as SampleSession),
      children: async (parentID) => children.all(parentID).map((text) => JSON.parse(text) as SampleSession),
      async close() {
        database.close()
      },
    }
  },
}

function countOf(values: Iterable<unknown>): number {
  let count = 0
  for (const _ of values) count++
  return count
}
