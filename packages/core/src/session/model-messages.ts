import type { AssistantMessage } from "../model/assistant-message.js"
import type { ToolPart } from "../model/content-part.js"
import type { FilePart } from "../model/file-part.js"
import type { ModelReference } from "../model/model-reference.js"
import type { Part } from "../model/part.js"
import type { ToolState } from "../model/tool-state.js"
import type { MessageWithParts } from "./message-with-parts.js"
import type {
  AssistantModelMessage,
  FileContent,
  ModelMessage,
  ProviderOptions,
  TextContent,
  ToolModelMessage,
  ToolResultOutput,
  UserModelMessage,
} from "./model-message.js"

/** For whom messages are made. */
export interface ModelMessagesOptions {
  /** The model that is going to be asked. */
  readonly model: ModelReference
}

const COMPACTION_QUESTION = "What did we do so far?"
const SUBTASK_NOTE = "The following tool was executed by the user"
const CLEARED_OUTPUT = "[Old tool result content cleared]"
const INTERRUPTED = "[interrupted]"

/** What such files hold is given as synthetic text beside them. */
const FILES_GIVEN_AS_TEXT: readonly string[] = ["text/plain", "application/x-directory"]

/**
 * A conversation as a language model takes it.
 *
 * - Every tool call has its result in the message right after it; one that never ended is answered with an error.
 * - Answers that failed are left out, except those that were aborted after they had said or done something.
 * - What a provider noted about its own answer goes back only to the model that gave it. For any other the
 *   reasoning stays, as a plain text of that kind, and what was nothing but a note is left out.
 * - Texts marked `ignored`, blank ones and messages in which nothing remains are left out.
 *
 * @param messages those of one session, oldest first, such as `filterCompacted` gives
 *
 * @example
 * ```ts
 * const history = toModelMessages(await filterCompacted(newestFirst), { model: { providerID, modelID } })
 * ```
 */
export function toModelMessages(
  messages: readonly MessageWithParts[],
  options: ModelMessagesOptions,
): ModelMessage[] {
  return messages.flatMap(({ info, parts }) =>
    info.role === "user" ? userMessages(parts) : assistantMessages(info, parts, options.model),
  )
}

function userMessages(parts: readonly Part[]): UserModelMessage[] {
  const content = parts.flatMap(userContent)
  return content.length === 0 ? [] : [{ role: "user", content }]
}

function userContent(part: Part): (TextContent | FileContent)[] {
  if (part.type === "text") return part.ignored ? [] : textContent(part.text)
  if (part.type === "file") return FILES_GIVEN_AS_TEXT.includes(part.mime) ? [] : [fileContent(part)]
  if (part.type === "compaction") return textContent(COMPACTION_QUESTION)
  if (part.type === "subtask") return textContent(SUBTASK_NOTE)
  return []
}

function assistantMessages(
  info: AssistantMessage,
  parts: readonly Part[],
  model: ModelReference,
): ModelMessage[] {
  if (info.error !== undefined && info.error.name !== "MessageAbortedError") return []
  const isSameModel = info.providerID === model.providerID && info.modelID === model.modelID
  const messages = splitSteps(parts).flatMap((step) => stepMessages(step, isSameModel))
  return info.error === undefined || messages.some(saysOrDoes) ? messages : []
}

// The results of a step come before what the next one says.
function splitSteps(parts: readonly Part[]): Part[][] {
  const steps: Part[][] = [[]]
  for (const part of parts) {
    if (part.type === "step-start") steps.push([])
    else steps.at(-1)?.push(part)
  }
  return steps
}

function stepMessages(parts: readonly Part[], isSameModel: boolean): ModelMessage[] {
  const content = parts.flatMap((part) => assistantContent(part, isSameModel))
  if (content.length === 0) return []
  const answer: AssistantModelMessage = { role: "assistant", content }
  const calls = parts.filter((part) => part.type === "tool")
  return calls.length === 0 ? [answer] : [answer, toolMessage(calls)]
}

function assistantContent(part: Part, isSameModel: boolean): AssistantModelMessage["content"][number][] {
  if (part.type !== "text" && part.type !== "reasoning" && part.type !== "tool") return []
  const providerOptions = isSameModel ? part.metadata : undefined
  if (part.type === "text") return part.ignored ? [] : textContent(part.text, providerOptions)
  if (part.type === "reasoning") {
    return textContent(part.text, providerOptions).map((content) => ({ ...content, type: "reasoning" }))
  }
  const { callID, tool, state } = part
  const call = { toolCallId: callID, toolName: tool, input: state.input ?? {} }
  return [{ type: "tool-call", ...call, ...(providerOptions && { providerOptions }) }]
}

function toolMessage(parts: readonly ToolPart[]): ToolModelMessage {
  const content = parts.map(({ callID, tool, state }) => {
    return { type: "tool-result", toolCallId: callID, toolName: tool, output: toolOutput(state) } as const
  })
  return { role: "tool", content }
}

function toolOutput(state: ToolState): ToolResultOutput {
  if (state.status === "error") return { type: "error-text", value: state.error }
  if (state.status !== "completed") return { type: "error-text", value: INTERRUPTED }
  if (state.time?.compacted !== undefined) return { type: "text", value: CLEARED_OUTPUT }
  const { output, attachments = [] } = state
  if (attachments.length === 0) return { type: "text", value: output }
  return { type: "content", value: [...textContent(output), ...attachments.map(fileContent)] }
}

// Providers refuse blank texts, but a note on one may be the whole point, such as reasoning that is encrypted.
function textContent(text: string, providerOptions?: ProviderOptions): TextContent[] {
  if (providerOptions !== undefined) return [{ type: "text", text, providerOptions }]
  return text.trim() === "" ? [] : [{ type: "text", text }]
}

function fileContent({ url, mime, filename }: FilePart): FileContent {
  return { type: "file", data: url, mediaType: mime, ...(filename !== undefined && { filename }) }
}

function saysOrDoes({ role, content }: ModelMessage): boolean {
  return role === "tool" || (typeof content !== "string" && content.some(({ type }) => type === "text"))
}
