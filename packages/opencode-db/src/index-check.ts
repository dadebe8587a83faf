import { isDamage } from "@sessile/storage-sqlite/sqlite"
import type { Database } from "better-sqlite3"
import { type RecordKind, recordKinds } from "./record-kind.js"

/**
 * Whether every record is found by all indexes of its table, under a key that can be one. Only then does reading by
 * indexes find everything: SQLite itself does not notice rows that an index does not have.
 *
 * @example
 * ```ts
 * if (!areIndexesComplete(database)) salvage(database)
 * ```
 */
export function areIndexesComplete(database: Database): boolean {
  try {
    return recordKinds.every((kind) => isFoundByIndexes(database, kind))
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

function isFoundByIndexes(database: Database, { name, keyColumns }: RecordKind): boolean {
  const indexes = indexesOf(database, name)
  const rows = `${name} AS row NOT INDEXED`
  const isStray = indexes.map((index) => {
    const isSame = index.columns.map((column) => `entry."${column}" IS row."${column}"`).join(" AND ")
    const entries = `SELECT 1 FROM ${name} AS entry INDEXED BY "${index.name}"`
    return `NOT EXISTS (${entries} WHERE ${isSame} AND entry.rowid = row.rowid)`
  })
  const isNoKey = keyColumns.map(
    (column) => `(typeof(${column}) <> 'text' OR ${column} = '' OR instr(${column}, char(0)))`,
  )
  const stray = database.prepare(
    `SELECT 1 FROM ${rows} WHERE ${[...isNoKey, ...isStray].join(" OR ")} LIMIT 1`,
  )
  if (stray.get() !== undefined) return false
  const count = (source: string) => database.prepare(`SELECT count(*) FROM ${source}`).pluck().get()
  const expected = count(rows)
  return indexes.every((index) => count(`${name} INDEXED BY "${index.name}"`) === expected)
}

interface Index {
  readonly name: string
  readonly columns: readonly string[]
}

/** The indexes of a table that have all its rows, with those of their columns that are columns of the table. */
function indexesOf(database: Database, table: string): Index[] {
  const found = database.pragma(`index_list(${table})`) as { name: string; partial: number }[]
  return found
    .filter(({ partial }) => partial === 0)
    .map(({ name }) => {
      const columns = database.pragma(`index_info("${name}")`) as { name: string | null }[]
      return { name, columns: columns.map((column) => column.name).filter((column) => column !== null) }
    })
}
