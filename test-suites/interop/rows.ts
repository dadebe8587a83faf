import { withSql } from "@sessile/fixtures"

/** A row, each value as SQL would write it: no two different values look the same. */
export type Row = Readonly<Record<string, string>>

/** Every row of every table of a database, tables and rows in a fixed order. */
export function rowsOf(path: string): Map<string, Row[]> {
  return withSql(path, (database) => {
    const tables = database
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
      )
      .pluck()
      .all() as string[]
    return new Map(
      tables.map((table) => {
        const columns = database
          .prepare("SELECT name FROM pragma_table_info(?)")
          .pluck()
          .all(table) as string[]
        const quoted = columns.map((column) => `quote("${column}") AS "${column}"`)
        const order = columns.map((_, index) => index + 1)
        return [table, database.prepare(`SELECT ${quoted} FROM "${table}" ORDER BY ${order}`).all() as Row[]]
      }),
    )
  })
}

/** What SQLite finds wrong with a database; `["ok"]` when nothing is. */
export function integrityOf(path: string): string[] {
  return withSql(path, (database) => [
    ...(database.pragma("integrity_check") as { integrity_check: string }[]).map(
      (row) => row.integrity_check,
    ),
    ...(database.pragma("foreign_key_check") as { table: string }[]).map((row) => `orphan in ${row.table}`),
  ])
}

/** Does something to a database behind the back of whoever has it open. */
export function changeRows(path: string, sql: string): void {
  withSql(path, (database) => database.exec(sql))
}
