import { cp } from "node:fs/promises"
import {
  copyDatabase,
  type DatabaseCopy,
  type DatabaseName,
  type FixtureName,
  fixturePath,
  withSql,
} from "@sessile/fixtures"

/** Every row of a database, by table, in the order in which they were added. */
export function rowsOf(path: string): Record<string, unknown[]> {
  return withSql(path, (database) => {
    const names = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    const tables = names.pluck().all() as string[]
    return Object.fromEntries(
      tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}"`).raw().all()]),
    )
  })
}

/** A data folder as an upgrade leaves it: a database in use, and the JSON files of before. */
export async function upgraded(database: DatabaseName, files: FixtureName): Promise<DatabaseCopy> {
  const copy = await copyDatabase(database)
  await cp(fixturePath(files), copy.path, { recursive: true })
  return copy
}
