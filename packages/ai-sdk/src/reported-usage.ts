import type { ReportedUsage } from "@sessile/core/session"
import type { LanguageModelUsage, ProviderMetadata } from "ai"

/**
 * The counts of a request as `usageOf` takes them: those of Anthropic and Bedrock without cached input, as these
 * providers report it, where the AI SDK adds it.
 */
export function toReportedUsage(
  usage: LanguageModelUsage,
  metadata: ProviderMetadata | undefined,
): ReportedUsage {
  const { inputTokens, inputTokenDetails, outputTokens, outputTokenDetails, totalTokens } = usage
  const excludesCached = metadata?.anthropic !== undefined || metadata?.bedrock !== undefined
  return {
    inputTokens: excludesCached ? (inputTokenDetails.noCacheTokens ?? inputTokens) : inputTokens,
    outputTokens,
    totalTokens,
    reasoningTokens: outputTokenDetails.reasoningTokens,
    cachedInputTokens: inputTokenDetails.cacheReadTokens,
  }
}
