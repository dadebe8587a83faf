import type { Database } from "better-sqlite3"
import { views } from "./views.js"

/** Marks a file as Sessile's: "SESS". */
export const APPLICATION_ID = 0x53455353

// Keys are bytes, with a zero byte between segments: their order is that of the contract, and text with a NUL in
// it would be cut short by many an SQL tool.
const tables = `
CREATE TABLE records (
  key BLOB NOT NULL PRIMARY KEY,
  checksum INTEGER NOT NULL,
  value TEXT NOT NULL
);
CREATE TABLE index_entries (
  entry BLOB NOT NULL PRIMARY KEY
) WITHOUT ROWID;
CREATE TABLE index_definitions (
  id INTEGER PRIMARY KEY,
  definition TEXT NOT NULL
);
`

/** What it takes to bring a database from each version to the next one. */
const migrations: readonly ((database: Database) => void)[] = [
  (database) => {
    database.exec(tables + views)
  },
]

/** The version of a database that this program writes. */
export const SCHEMA_VERSION = migrations.length

/** Brings a database up to date, in the transaction that the caller has begun. */
export function migrateSchema(database: Database, version: number): void {
  for (const migration of migrations.slice(version)) migration(database)
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${SCHEMA_VERSION}`)
}
