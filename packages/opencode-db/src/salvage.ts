import { type UnreadRows, walkTable } from "@sessile/storage-sqlite/sqlite"
import SqliteDatabase, { type Database } from "better-sqlite3"
import type { SqlValue } from "./column.js"
import { type RecordKind, recordKinds } from "./record-kind.js"
import type { TableColumns } from "./schema.js"

/** Records of one kind that a damaged database does not give any more. */
export interface Loss {
  readonly kind: string
  /** Such as `rows 3-5`. */
  readonly rows: string
  /** Which rows they were, a sentence. */
  readonly reason: string
}

/** What can still be read of a damaged database. */
export interface Salvage {
  /** The rows of all records in a temporary file without a name, with indexes of their own. */
  readonly database: Database
  readonly losses: readonly Loss[]
}

/** Copies every row of a damaged database that is still on a readable page, whatever its indexes say. */
export function salvage(database: Database, columns: TableColumns): Salvage {
  const copy = new SqliteDatabase("")
  try {
    copy.pragma("journal_mode = OFF")
    const losses = copy.transaction(() =>
      recordKinds.flatMap((kind) => salvageTable(database, copy, kind, [...(columns.get(kind.name) ?? [])])),
    )()
    return { database: copy, losses }
  } catch (error) {
    copy.close()
    throw error
  }
}

function salvageTable(
  database: Database,
  copy: Database,
  kind: RecordKind,
  columns: readonly string[],
): Loss[] {
  const { name, keyColumns } = kind
  const names = columns.map((column) => `"${column}"`)
  const unique = kind.isList ? [...keyColumns, "position"] : keyColumns.slice(-1)
  copy.exec(`CREATE TABLE ${name} (${names}); CREATE UNIQUE INDEX ${name}_id ON ${name} (${unique})`)
  if (keyColumns.length > 1) copy.exec(`CREATE INDEX ${name}_owner ON ${name} (${keyColumns})`)
  const insert = copy.prepare<SqlValue[]>(`INSERT OR IGNORE INTO ${name} VALUES (${names.map(() => "?")})`)
  const keyPositions = keyColumns.map((column) => columns.indexOf(column))
  const losses: Loss[] = []
  const lose = (row: unknown, reason: string) =>
    losses.push({ kind: name, rows: `row ${row}`, reason: `Row ${row} of ${name} ${reason}` })
  const visit = ([row, ...values]: readonly unknown[]) => {
    if (!keyPositions.every((position) => isKeySegment(values[position]))) {
      lose(row, "has no valid key")
    } else if (insert.run(...(values as SqlValue[])).changes === 0) {
      lose(row, "has the id of another row")
    }
  }
  const unread = walkTable(database, { table: name, columns: names.join(), visit })
  return [...losses, ...unread.map((rows) => lossOf(rows, name))]
}

function isKeySegment(value: unknown): boolean {
  return typeof value === "string" && value !== "" && !value.includes("\0")
}

function lossOf({ after, before }: UnreadRows, kind: string): Loss {
  if (before === undefined) {
    return {
      kind,
      rows: `rows after ${after}`,
      reason: `The rows of ${kind} after row ${after} cannot be read`,
    }
  }
  if (before <= after + 1) {
    const reason = `Rows of ${kind} near row ${before} are out of order; some may be missing`
    return { kind, rows: `rows near ${before}`, reason }
  }
  const [first, last] = [after + 1, before - 1]
  return { kind, rows: `rows ${first}-${last}`, reason: `Rows ${first} to ${last} of ${kind} cannot be read` }
}
