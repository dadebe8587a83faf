import { StorageError } from "@sessile/core/storage"
import { isDamage } from "@sessile/storage-sqlite/sqlite"
import type { Database } from "better-sqlite3"
import { type RecordKind, recordKinds } from "./record-kind.js"

/** What a database of opencode's looks like. */
export interface OpencodeSchema {
  /** `"2.x"` when the tables of that release are there, whether or not those of 1.x are there too. */
  readonly era: "1.x" | "2.x"
  /**
   * Whether opencode 2.x has taken over what 1.x kept, or begun to. It does so only once: it never shows what is added
   * from then on.
   */
  readonly takenOverBy2: boolean
  /** Tables that no known release has; they are left alone. */
  readonly unknownTables: readonly string[]
  /** Columns of the tables with records that no known release has, such as `session.color`; they are left alone. */
  readonly unknownColumns: readonly string[]
  /** Why nothing can be written; `undefined` when it can. */
  readonly obstacle: string | undefined
  /**
   * When a release with an importer (1.2 to 1.15) made the database, in milliseconds: it imported the JSON files that
   * it found at that time. `undefined` for databases of other origin.
   */
  readonly importedAt: number | undefined
}

/** The columns of the tables with records, by table. */
export type TableColumns = ReadonlyMap<string, ReadonlySet<string>>

/** What sums up the messages of a session. */
export const usageColumns = [
  "cost",
  "tokens_input",
  "tokens_output",
  "tokens_reasoning",
  "tokens_cache_read",
  "tokens_cache_write",
] as const

const otherTables = [
  "__drizzle_migrations",
  "account",
  "account_state",
  "control_account",
  "credential",
  "data_migration",
  "event",
  "event_sequence",
  "kv",
  "migration",
  "permission",
  "project_directory",
  "session_context_epoch",
  "session_input",
  "session_message",
  "workspace",
]

const MARK_OF_2 = "session_v2"

/** In which releases up to 1.15 note the steps that brought the tables up to date. */
const STEPS = "__drizzle_migrations"

/** Every release of opencode that makes a database applies at least so many steps at once. */
const STEPS_AT_ONCE = 3
const AT_ONCE = 10_000

/** The tables of 2.x that are filled when it takes over. */
const FILLED_BY_2 = [MARK_OF_2, "session_message"]

interface ColumnInfo {
  readonly name: string
  readonly notnull: number
  readonly dflt_value: string | null
}

/** What {@link inspectSchema} finds. */
export interface InspectedSchema {
  readonly schema: OpencodeSchema
  readonly columns: TableColumns
  /** What is damaged in the schema itself, a sentence each. */
  readonly schemaDamage: readonly string[]
}

/**
 * Looks at what is there, whichever release made it.
 *
 * @throws StorageError `INVALID_ARGUMENT` for another program's database, `UNSUPPORTED` for one of 2.x that has no
 * records of 1.x
 */
export function inspectSchema(database: Database, path: string): InspectedSchema {
  const tables = tableNames(database)
  const era = tables.includes(MARK_OF_2) ? "2.x" : "1.x"
  const infos = new Map(recordKinds.map(({ name }) => [name, columnsOf(database, name)]))
  if (!hasRecords(infos)) throw era === "2.x" ? onlyOf2(path) : notOpencode(path)

  const known = [...otherTables, ...infos.keys(), MARK_OF_2]
  const found = recordKinds.flatMap((kind) =>
    (infos.get(kind.name) ?? []).map((info) => ({ kind, ...info, fullName: `${kind.name}.${info.name}` })),
  )
  const unknown = found.filter(({ kind, name }) => {
    return ![...kind.keyColumns, ...kind.columns, ...(usageColumns as readonly string[])].includes(name)
  })
  const unfilled = found.find(({ kind, name, notnull, dflt_value }) => {
    return notnull !== 0 && dflt_value === null && !kind.required.includes(name)
  })
  return {
    schema: {
      era,
      takenOverBy2: isTakenOver(database, tables),
      unknownTables: tables.filter((name) => !known.includes(name)),
      unknownColumns: unknown.map(({ fullName }) => fullName),
      obstacle: unfilled === undefined ? undefined : obstacle(unfilled.fullName),
      importedAt: tables.includes(STEPS) ? timeOfImport(database) : undefined,
    },
    columns: new Map([...infos].map(([table, info]) => [table, new Set(info.map(({ name }) => name))])),
    schemaDamage: recordKinds.flatMap((kind) => garbledColumns(kind, infos.get(kind.name) ?? [])),
  }
}

export function tableNames(database: Database): string[] {
  const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'"
  return database.prepare(`${sql} ORDER BY name`).pluck().all() as string[]
}

function columnsOf(database: Database, table: string): readonly ColumnInfo[] {
  return database.pragma(`table_info(${table})`) as ColumnInfo[]
}

/**
 * The columns of a table that are missing, with one in their place whose name differs in a single character: SQLite reads the
 * names from a text, in which a flipped bit is no error, and the field would be missing in every record.
 */
function garbledColumns(
  { name: table, keyColumns, columns }: RecordKind,
  infos: readonly ColumnInfo[],
): string[] {
  const found = infos.map(({ name }) => name)
  return [...new Set([...keyColumns, ...columns])]
    .filter((known) => !found.includes(known) && found.some((name) => isNearly(name, known)))
    .map((known) => `The schema is damaged: the column ${known} of ${table} has another name`)
}

function isNearly(name: string, known: string): boolean {
  if (name.length !== known.length) return false
  return [...known].filter((character, index) => character !== name[index]).length === 1
}

/** Whether the columns are there without which a record is none. */
function hasRecords(infos: ReadonlyMap<string, readonly ColumnInfo[]>): boolean {
  return recordKinds.every(({ name, keyColumns, columns }) => {
    const found = infos.get(name)?.map((info) => info.name) ?? []
    const needed = columns.includes("data") ? [...keyColumns, "data"] : keyColumns
    return needed.every((column) => found.includes(column))
  })
}

function isTakenOver(database: Database, tables: readonly string[]): boolean {
  const finds = (sql: string) => isFound(database, sql)
  const filled = FILLED_BY_2.filter((table) => tables.includes(table))
  if (filled.some((table) => finds(`SELECT 1 FROM ${table}`))) return true
  if (!columnsOf(database, "kv").some(({ name }) => name === "key")) return false
  return finds("SELECT 1 FROM kv WHERE key = 'migration.v1-v2'")
}

/** A database that this program made has two steps from then, and others from when opencode first opened it. */
function timeOfImport(database: Database): number | undefined {
  if (!columnsOf(database, STEPS).some(({ name }) => name === "applied_at")) return undefined
  const times = timesOfSteps(database).map((time) => Date.parse(String(time)))
  const [first = Number.NaN, last = Number.NaN] = [times[0], times[STEPS_AT_ONCE - 1]]
  return Math.abs(last - first) < AT_ONCE ? first : undefined
}

function timesOfSteps(database: Database): unknown[] {
  try {
    const steps = database.prepare(`SELECT applied_at FROM ${STEPS} ORDER BY created_at LIMIT ?`)
    return steps.pluck().all(STEPS_AT_ONCE)
  } catch (error) {
    if (isDamage(error)) return []
    throw error
  }
}

/** Whether a query finds anything. Where it cannot be read, there is something. */
function isFound(database: Database, sql: string): boolean {
  try {
    return database.prepare(`SELECT EXISTS (${sql})`).pluck().get() === 1
  } catch (error) {
    if (isDamage(error)) return true
    throw error
  }
}

function obstacle(column: string): string {
  return `The column ${column} must be filled, and this program does not know with what; update Sessile`
}

function notOpencode(path: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", "The database is not one of opencode's; choose another path", {
    path,
  })
}

function onlyOf2(path: string): StorageError {
  const message = "The database belongs to opencode 2.x and holds no records of 1.x; this program reads those"
  return new StorageError("UNSUPPORTED", message, { path })
}
