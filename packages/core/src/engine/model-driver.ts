import type { JsonObject } from "../model/primitives.js"
import type { ModelMessage, ProviderOptions } from "../session/model-message.js"
import type { ReportedUsage } from "../session/usage.js"
import type { Model } from "./model.js"

/**
 * Speaks to one model. `stream` makes one request, and gives what comes back as it comes: `start`, then one step.
 * Calls of tools are for the engine to run, except those that the provider has run itself. A driver neither retries
 * nor keeps anything between two requests. It throws, or gives an `error` event, when the request fails: a
 * `DriverError` where it knows what that means.
 */
export interface ModelDriver {
  stream(request: ModelRequest): AsyncIterable<DriverEvent>
}

/** One request to a model. */
export interface ModelRequest {
  readonly model: Model
  readonly sessionID: string
  /** Those of the system first. */
  readonly messages: readonly RequestMessage[]
  readonly tools: readonly ToolDefinition[]
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly maxOutputTokens?: number
  readonly providerOptions?: ProviderOptions
  /** Ends the request. */
  readonly signal: AbortSignal
}

/**
 * A message of a request. It and each piece of its content may carry `providerOptions`, such as the marks for a cache,
 * which go to the provider as they are.
 */
export type RequestMessage = ModelMessage & { readonly providerOptions?: ProviderOptions }

/** A tool as a model is told of it. */
export interface ToolDefinition {
  readonly name: string
  readonly description: string
  /** JSON Schema of an object. */
  readonly inputSchema: JsonObject
}

/** What a model says and does. Pieces of one text, reasoning or tool input share an `id`. */
export type DriverEvent =
  | { readonly type: "start" }
  | { readonly type: "start-step" }
  | { readonly type: "reasoning-start"; readonly id: string; readonly providerMetadata?: ProviderOptions }
  | {
      readonly type: "reasoning-delta"
      readonly id: string
      readonly text: string
      readonly providerMetadata?: ProviderOptions
    }
  | { readonly type: "reasoning-end"; readonly id: string; readonly providerMetadata?: ProviderOptions }
  | { readonly type: "text-start"; readonly id: string; readonly providerMetadata?: ProviderOptions }
  | {
      readonly type: "text-delta"
      readonly id: string
      readonly text: string
      readonly providerMetadata?: ProviderOptions
    }
  | { readonly type: "text-end"; readonly id: string; readonly providerMetadata?: ProviderOptions }
  | {
      readonly type: "tool-input-start"
      readonly id: string
      readonly toolName: string
      readonly providerExecuted?: boolean
    }
  | { readonly type: "tool-input-delta"; readonly id: string; readonly delta: string }
  | { readonly type: "tool-input-end"; readonly id: string }
  | {
      readonly type: "tool-call"
      readonly toolCallID: string
      readonly toolName: string
      /** What the model wrote; a string when that is no JSON. */
      readonly input: unknown
      /** The provider runs it, and a `tool-result` or `tool-error` will follow. */
      readonly providerExecuted?: boolean
      readonly providerMetadata?: ProviderOptions
    }
  | { readonly type: "tool-result"; readonly toolCallID: string; readonly output: ToolResult }
  | { readonly type: "tool-error"; readonly toolCallID: string; readonly error: string }
  | {
      readonly type: "finish-step"
      readonly finishReason: string
      readonly usage: ReportedUsage
      readonly providerMetadata?: ProviderOptions
    }
  | { readonly type: "error"; readonly error: unknown }
  | { readonly type: "finish" }

/** What a tool gave that the provider ran. */
export interface ToolResult {
  readonly output: string
  readonly title?: string
  readonly metadata?: JsonObject
}
