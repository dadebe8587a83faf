export type { CreateSessionOptions } from "./create-session.js"
export { defaultTitle, forkTitle, isDefaultTitle } from "./default-title.js"
export { filterCompacted } from "./filter-compacted.js"
export type { ForkOptions } from "./fork-session.js"
export type { SessionListOptions, SessionPage } from "./list-sessions.js"
export type { MessageWithParts } from "./message-with-parts.js"
export { type MessageFields, Messages } from "./messages.js"
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
export { type GrowingPart, PartWriter } from "./part-writer.js"
export { type PartFields, Parts } from "./parts.js"
export { type PrunablePart, partsToPrune } from "./prune.js"
export type { ReadOptions } from "./read-messages.js"
export type { RevertPoint } from "./revert-point.js"
export type { Timer } from "./session-context.js"
export { SessionError, type SessionErrorCode } from "./session-error.js"
export { type SessionIndexEntry, sessionIndexEntry } from "./session-index.js"
export type { MessageReference, PartReference } from "./session-records.js"
export type { SessionTree } from "./session-tree.js"
export type { UsageOptions } from "./session-usage.js"
export { Sessions } from "./sessions.js"
export type { SessionsOptions } from "./sessions-options.js"
export type { ShareService } from "./share-session.js"
export { createSlug } from "./slug.js"
export type { SummarizeOptions } from "./summarize-session.js"
export { estimateTokens } from "./token-estimate.js"
export { type TranscriptEntry, type TranscriptText, type TranscriptTool, transcript } from "./transcript.js"
export type { UpdateSessionOptions } from "./update-session.js"
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
