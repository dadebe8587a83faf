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
  return Object.fromEntries(
    Object.entries(fields).map(([column, path]) => [column, sum(answers.map((answer) => at(answer, path)))]),
  )
}

function sum(values: readonly unknown[]): number {
  const counted = values.filter((value): value is number => Number.isFinite(value) && (value as number) > 0)
  const plain = counted.reduce((total, value) => total + value, 0)
  // Whole numbers, such as counts of tokens, add up exactly by themselves.
  if (Number.isSafeInteger(plain) && counted.every(Number.isInteger)) return plain
  return counted.reduce((total, value) => total.plus(value), new Decimal(0)).toNumber()
}
