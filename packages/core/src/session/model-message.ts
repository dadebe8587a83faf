/**
 * A message as language models take it, of no provider in particular. The names are those of the AI SDK, so that
 * handing one over to it takes little more than mapping {@link ToolResultOutput}.
 */
export type ModelMessage = SystemModelMessage | UserModelMessage | AssistantModelMessage | ToolModelMessage

/** What a model is told before the conversation. */
export interface SystemModelMessage {
  readonly role: "system"
  readonly content: string
}

/** What a user asks. */
export interface UserModelMessage {
  readonly role: "user"
  readonly content: readonly (TextContent | FileContent)[]
}

/** What a model answered. The {@link ToolModelMessage} that follows has a result for each of its tool calls. */
export interface AssistantModelMessage {
  readonly role: "assistant"
  readonly content: readonly (TextContent | ReasoningContent | ToolCallContent)[]
}

/** What tools gave. */
export interface ToolModelMessage {
  readonly role: "tool"
  readonly content: readonly ToolResultContent[]
}

/** What a provider noted about a piece of its answer, such as a signature, and wants to see again. */
export type ProviderOptions = Readonly<Record<string, unknown>>

/** A text. */
export interface TextContent {
  readonly type: "text"
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

/** A file; `data` is its url, mostly a `data:` one. */
export interface FileContent {
  readonly type: "file"
  readonly data: string
  readonly mediaType: string
  readonly filename?: string
}

/** What a model thought. */
export interface ReasoningContent {
  readonly type: "reasoning"
  readonly text: string
  readonly providerOptions?: ProviderOptions
}

/** A call of a tool. */
export interface ToolCallContent {
  readonly type: "tool-call"
  readonly toolCallId: string
  readonly toolName: string
  readonly input: Readonly<Record<string, unknown>>
  readonly providerOptions?: ProviderOptions
}

/** What the call gave. */
export interface ToolResultContent {
  readonly type: "tool-result"
  readonly toolCallId: string
  readonly toolName: string
  readonly output: ToolResultOutput
}

/** A text, a text with files, or why there is none. */
export type ToolResultOutput =
  | { readonly type: "text"; readonly value: string }
  | { readonly type: "content"; readonly value: readonly (TextContent | FileContent)[] }
  | { readonly type: "error-text"; readonly value: string }
