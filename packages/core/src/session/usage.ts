import { ExactDecimal } from "./exact-decimal.js"
import { usableNumber } from "./usable-number.js"

/** What a million tokens cost, in dollars. */
export interface TokenPrices {
  readonly input: number
  readonly output: number
  readonly cache?: { readonly read: number; readonly write: number }
}

/** The prices of a model, and those that replace them when the request is over 200,000 tokens. */
export interface ModelCost extends TokenPrices {
  readonly experimentalOver200K?: TokenPrices
}

/** What a provider reports of one request, as the AI SDK names it. */
export interface ReportedUsage {
  readonly inputTokens?: number | undefined
  readonly outputTokens?: number | undefined
  readonly totalTokens?: number | undefined
  readonly reasoningTokens?: number | undefined
  readonly cachedInputTokens?: number | undefined
}

/** What to price, and at which prices. */
export interface UsageInput {
  /** A model without prices costs nothing. */
  readonly model: { readonly cost?: ModelCost }
  readonly usage: ReportedUsage
  /** What the provider adds in a form of its own, under its name. */
  readonly metadata?: Readonly<Record<string, unknown>> | undefined
}

/** What one request used, as it is stored in messages and in step-finish parts. */
export interface RequestUsage {
  readonly tokens: RequestTokens
  /** In dollars. */
  readonly cost: number
}

/** The tokens of one request. `input` is what was neither read from the cache nor written to it. */
export interface RequestTokens {
  readonly total: number
  readonly input: number
  readonly output: number
  readonly reasoning: number
  readonly cache: { readonly read: number; readonly write: number }
}

const HIGHER_TIER = 200_000

/**
 * Counts and prices what one request used. Anthropic and Bedrock report the input without cached tokens, all
 * others with them; tokens written to the cache stand in the metadata alone. Reasoning is priced as output. A count
 * or price that is missing, negative or not finite is taken for 0. The cost is the number nearest to the exact one.
 *
 * @example
 * ```ts
 * const model = { cost: { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } } }
 * usageOf({ model, usage: { inputTokens: 1201, outputTokens: 51, reasoningTokens: 7, cachedInputTokens: 300 } })
 * // { tokens: { total: 1252, input: 901, output: 51, reasoning: 7, cache: { read: 300, write: 0 } }, cost: 0.003663 }
 * ```
 */
export function usageOf({ model, usage, metadata }: UsageInput): RequestUsage {
  const tokens = countTokens(usage, metadata)
  return { tokens, cost: price(tokens, model.cost) }
}

function countTokens(usage: ReportedUsage, metadata: UsageInput["metadata"]): RequestTokens {
  const anthropic = field(metadata, "anthropic")
  const bedrock = field(metadata, "bedrock")
  const excludesCached = Boolean(anthropic || bedrock)
  const read = usableNumber(usage.cachedInputTokens)
  const write = usableNumber(
    field(anthropic, "cacheCreationInputTokens") ?? field(field(bedrock, "usage"), "cacheWriteInputTokens"),
  )
  const input = usableNumber(usableNumber(usage.inputTokens) - (excludesCached ? 0 : read))
  const output = usableNumber(usage.outputTokens)
  // Where the input leaves out cached tokens, so does the total.
  const reported = excludesCached ? 0 : usableNumber(usage.totalTokens)
  return {
    total: reported || input + output + read + write,
    input,
    output,
    reasoning: usableNumber(usage.reasoningTokens),
    cache: { read, write },
  }
}

function price(tokens: RequestTokens, cost: ModelCost | undefined): number {
  const isHigherTier = tokens.input + tokens.cache.read > HIGHER_TIER
  const prices = (isHigherTier && cost?.experimentalOver200K) || cost
  const priced = [
    [tokens.input, prices?.input],
    [tokens.output + tokens.reasoning, prices?.output],
    [tokens.cache.read, prices?.cache?.read],
    [tokens.cache.write, prices?.cache?.write],
  ] as const
  return priced
    .reduce(
      (sum, [count, each]) => sum.plus(new ExactDecimal(count).times(usableNumber(each))),
      new ExactDecimal(0),
    )
    .times("0.000001")
    .toNumber()
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
}
