import type { DriverEvent, ToolResult } from "@sessile/core/engine"
import type { TextStreamPart, ToolSet } from "ai"
import { toReportedUsage } from "./reported-usage.js"

type Part = TextStreamPart<ToolSet>

/** A part of the stream as the engine takes it; sources, files and what the AI SDK found out itself are left out. */
export function toDriverEvent(part: Part): DriverEvent | undefined {
  switch (part.type) {
    case "text-start":
    case "text-delta":
    case "text-end":
    case "reasoning-start":
    case "reasoning-delta":
    case "reasoning-end":
      return part
    case "start":
    case "start-step":
    case "finish":
      return { type: part.type }
    case "tool-input-start":
      return { type: part.type, id: part.id, toolName: part.toolName, ...executedBy(part) }
    case "tool-input-delta":
      return { type: part.type, id: part.id, delta: part.delta }
    case "tool-input-end":
      return { type: part.type, id: part.id }
    case "tool-call":
      return toolCall(part)
    case "tool-result":
      return { type: part.type, toolCallID: part.toolCallId, output: toToolResult(part.output) }
    case "tool-error":
      // Those of other calls only say that the input is not valid, which the engine finds out by itself.
      if (!part.providerExecuted) return undefined
      return { type: part.type, toolCallID: part.toolCallId, error: errorText(part.error) }
    case "finish-step":
      return finishStep(part)
    default:
      return undefined
  }
}

function toolCall(part: Part & { type: "tool-call" }): DriverEvent {
  const { type, toolCallId: toolCallID, toolName, input, providerMetadata } = part
  return {
    type,
    toolCallID,
    toolName,
    input,
    ...executedBy(part),
    ...(providerMetadata && { providerMetadata }),
  }
}

function finishStep(part: Part & { type: "finish-step" }): DriverEvent {
  const { type, finishReason, rawFinishReason, usage, providerMetadata } = part
  return {
    type,
    // A model that gave no reason has not said that it is done.
    finishReason: finishReason === "other" && rawFinishReason === undefined ? "unknown" : finishReason,
    usage: toReportedUsage(usage, providerMetadata),
    ...(providerMetadata && { providerMetadata }),
  }
}

function executedBy({ providerExecuted }: { providerExecuted?: boolean | undefined }) {
  return providerExecuted ? { providerExecuted } : undefined
}

function toToolResult(output: unknown): ToolResult {
  return { output: typeof output === "string" ? output : JSON.stringify(output) }
}

function errorText(error: unknown): string {
  if (error instanceof Error) return error.message
  return typeof error === "string" ? error : JSON.stringify(error)
}
