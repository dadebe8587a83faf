export { defaultTitle, forkTitle, isDefaultTitle } from "./default-title.js"
export { filterCompacted } from "./filter-compacted.js"
export type { MessageWithParts } from "./message-with-parts.js"
export type {
  AssistantModelMessage,
  FileContent,
  ModelMessage,
  ProviderOptions,
  ReasoningContent,
  SystemModelMessage,
  TextContent,
  ToolCallContent,
  ToolModelMessage,
  ToolResultContent,
  ToolResultOutput,
  UserModelMessage,
} from "./model-message.js"
export { type ModelMessagesOptions, toModelMessages } from "./model-messages.js"
export { isOverflow, type ModelLimit, outputTokenBudget } from "./overflow.js"
export { type PrunablePart, partsToPrune } from "./prune.js"
export { type SessionIndexEntry, sessionIndexEntry } from "./session-index.js"
export { createSlug } from "./slug.js"
export { estimateTokens } from "./token-estimate.js"
export { type TranscriptEntry, type TranscriptText, type TranscriptTool, transcript } from "./transcript.js"
export {
  type ModelCost,
  type ReportedUsage,
  type RequestTokens,
  type RequestUsage,
  type TokenPrices,
  type UsageInput,
  usageOf,
} from "./usage.js"
export { type UsageDimension, type UsageTotal, UsageTotals } from "./usage-totals.js"
