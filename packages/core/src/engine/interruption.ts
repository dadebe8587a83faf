import type { AssistantMessage } from "../model/assistant-message.js"
import type { ToolPart } from "../model/content-part.js"
import type { Part } from "../model/part.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { GrowingPart } from "../session/part-writer.js"
import type { EngineContext } from "./engine-options.js"
import { abortedError } from "./message-errors.js"

const INTERRUPTED = "Tool execution was interrupted"

/**
 * Completes what a run left behind that ended in a crash; `true` when there was something. Tools that were at work are
 * noted as interrupted, with the sessions of subagents that were, and an answer that had come to its end counts as
 * one. A summary that was not finished is taken away, for it is made anew.
 */
export async function settleInterrupted(
  context: EngineContext,
  history: readonly MessageWithParts[],
): Promise<boolean> {
  const open = history.filter(isOpen)
  for (const { info, parts } of open) await settle(context, info as AssistantMessage, parts)
  return open.length > 0
}

function isOpen({ info, parts }: MessageWithParts): boolean {
  return info.role === "assistant" && (info.time.completed === undefined || parts.some(isUnfinishedCall))
}

async function settle(
  context: EngineContext,
  message: AssistantMessage,
  parts: readonly Part[],
): Promise<void> {
  const { sessions, clock } = context
  const end = parts.findLast((part) => part.type === "step-finish")
  if (message.summary && message.finish === undefined && end === undefined) {
    return sessions.messages.remove(message)
  }
  for (const part of parts) {
    if (isUnfinishedCall(part)) await interrupt(context, part)
    if ((part.type === "text" || part.type === "reasoning") && isGrowing(part)) {
      await sessions.parts.update<GrowingPart>(part, ({ time }) =>
        Object.assign(time ?? {}, { end: clock() }),
      )
    }
  }
  await sessions.messages.update<AssistantMessage>(message, (draft) => {
    draft.time.completed ??= Math.max(draft.time.created, clock())
    if (draft.finish !== undefined || draft.error !== undefined) return
    if (end === undefined) draft.error = abortedError()
    else Object.assign(draft, { finish: end.reason ?? "unknown", cost: end.cost, tokens: end.tokens })
  })
}

async function interrupt(context: EngineContext, part: ToolPart): Promise<void> {
  const { sessions, clock, engine } = context
  const { state } = part
  const metadata = state.status === "running" ? state.metadata : undefined
  const childID = metadata?.sessionId
  if (typeof childID === "string" && engine.status(childID).type === "idle") {
    await settleInterrupted(context, await sessions.history(childID))
  }
  const now = clock()
  const start = state.status === "running" ? state.time.start : now
  await sessions.parts.update<ToolPart>(part, (draft) => {
    draft.state = {
      status: "error",
      input: state.input ?? {},
      error: INTERRUPTED,
      ...(metadata && { metadata }),
      time: { start, end: now },
    }
  })
}

function isUnfinishedCall(part: Part): part is ToolPart {
  return part.type === "tool" && (part.state.status === "pending" || part.state.status === "running")
}

function isGrowing({ time }: GrowingPart): boolean {
  return time !== undefined && time.end === undefined
}
