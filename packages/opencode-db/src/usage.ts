import type { Database } from "better-sqlite3"
import { Decimal } from "decimal.js"
import { usageColumns } from "./schema.js"

const fields: Readonly<Record<(typeof usageColumns)[number], string>> = {
  cost: "cost",
  tokens_input: "tokens.input",
  tokens_output: "tokens.output",
  tokens_reasoning: "tokens.reasoning",
  tokens_cache_read: "tokens.cache.read",
  tokens_cache_write: "tokens.cache.write",
}

/**
 * What the answers of a session have cost and used together, by column. Anything but a number from 0 on counts as
 * 0: some releases wrote negative counts, when a provider reported more cached tokens than tokens.
 */
export function sessionUsage(database: Database, sessionID: string): Record<string, number> {
  const values = usageColumns.map((column) => `json_extract(body, '$.${fields[column]}')`)
  const answers = database
    .prepare(
      `SELECT ${values.join(", ")} FROM
        (SELECT CASE WHEN json_valid(data) THEN data ELSE '{}' END AS body FROM message WHERE session_id = ?)
        WHERE json_extract(body, '$.role') = 'assistant'`,
    )
    .raw()
    .all(sessionID) as unknown[][]
  return Object.fromEntries(
    usageColumns.map((column, index) => [column, sum(answers.map((answer) => answer[index]))]),
  )
}

function sum(values: readonly unknown[]): number {
  const counted = values.filter((value): value is number => Number.isFinite(value) && (value as number) >= 0)
  return counted.reduce((total, value) => total.plus(value), new Decimal(0)).toNumber()
}
