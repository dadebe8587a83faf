import { Decimal } from "decimal.js"
import { at } from "./json-object.js"
import type { usageColumns } from "./schema.js"

const fields: Readonly<Record<(typeof usageColumns)[number], readonly string[]>> = {
  cost: ["cost"],
  tokens_input: ["tokens", "input"],
  tokens_output: ["tokens", "output"],
  tokens_reasoning: ["tokens", "reasoning"],
  tokens_cache_read: ["tokens", "cache", "read"],
  tokens_cache_write: ["tokens", "cache", "write"],
}

/**
 * What some messages have cost and used together, by column; only answers count. Anything but a number from 0 on
 * counts as 0: some releases wrote negative counts, when a provider reported more cached tokens than tokens.
 */
export function usageOf(messages: readonly unknown[]): Record<string, number> {
  const answers = messages.filter((message) => at(message, ["role"]) === "assistant")
  const totals: Record<string, number> = {}
  for (const [column, path] of columns) totals[column] = sum(answers, path)
  return totals
}

const columns = Object.entries(fields)

function sum(answers: readonly unknown[], path: readonly string[]): number {
  // Whole numbers, such as counts of tokens, add up exactly by themselves.
  let whole = 0
  let exact: Decimal | undefined
  for (const answer of answers) {
    const value = at(answer, path) as number
    if (!Number.isFinite(value) || value <= 0) continue
    if (exact === undefined && Number.isInteger(value) && Number.isSafeInteger(whole + value)) whole += value
    else exact = (exact ?? new Decimal(whole)).plus(value)
  }
  return exact?.toNumber() ?? whole
}
