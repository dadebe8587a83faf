import type { TokenUsage } from "../model/token-usage.js"

/** How many tokens a model takes and gives. A context of 0 means that nobody knows. */
export interface ModelLimit {
  readonly context: number
  /** What the input alone may take, where the provider limits it apart. */
  readonly input?: number
  readonly output: number
}

const OUTPUT_TOKEN_MAX = 32_000

/** How many tokens to leave for the answer: what the model can give, but at most 32,000. */
export function outputTokenBudget(limit: ModelLimit): number {
  return Math.min(limit.output, OUTPUT_TOKEN_MAX)
}

/** Whether the conversation has outgrown the context of the model, by what its last answer used. */
export function isOverflow(tokens: TokenUsage, limit: ModelLimit): boolean {
  if (limit.context === 0) return false
  const usable = limit.input || limit.context - outputTokenBudget(limit)
  return tokens.input + tokens.cache.read + tokens.output > usable
}
