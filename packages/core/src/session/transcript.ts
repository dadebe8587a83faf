import type { ToolPart } from "../model/content-part.js"
import type { ToolStatus } from "../model/tool-state.js"
import type { MessageWithParts } from "./message-with-parts.js"

/** One thing that was said or done, and by whom; `time` is when its message was made. */
export type TranscriptEntry = TranscriptText | TranscriptTool

/** What a user or a model said. `synthetic` text was added by the program. */
export interface TranscriptText {
  readonly type: "text"
  readonly messageID: string
  readonly role: "user" | "assistant"
  readonly time: number
  readonly text: string
  readonly synthetic?: true
}

/** A call of a tool: what it was about, and why it failed if it did. */
export interface TranscriptTool {
  readonly type: "tool"
  readonly messageID: string
  readonly role: "user" | "assistant"
  readonly time: number
  readonly tool: string
  readonly status: ToolStatus
  /** The field of the input that tells most, such as the file or the command. */
  readonly input?: { readonly name: string; readonly value: string }
  readonly error?: string
}

/**
 * What happened in a conversation, without what fills it: texts and tool calls stay, while the outputs of
 * tools, reasoning, files and marks are left out.
 *
 * @param messages those of one session, oldest first
 */
export function transcript(messages: readonly MessageWithParts[]): TranscriptEntry[] {
  return messages.flatMap(({ info, parts }) => {
    const origin = { messageID: info.id, role: info.role, time: info.time.created }
    return parts.flatMap((part): TranscriptEntry[] => {
      if (part.type === "text") {
        return [{ type: "text", ...origin, text: part.text, ...(part.synthetic && { synthetic: true }) }]
      }
      return part.type === "tool" ? [{ type: "tool", ...origin, ...toolCall(part) }] : []
    })
  })
}

// The first of these that an input has. Tools name the same thing differently.
const KEY_FIELDS = [
  "filePath",
  "file_path",
  "command",
  "pattern",
  "url",
  "query",
  "path",
  "description",
  "name",
]

function toolCall({ tool, state }: ToolPart): Pick<TranscriptTool, "tool" | "status" | "input" | "error"> {
  const name = KEY_FIELDS.find((field) => typeof state.input?.[field] === "string")
  return {
    tool,
    status: state.status,
    ...(name !== undefined && { input: { name, value: state.input?.[name] as string } }),
    ...(state.status === "error" && { error: state.error }),
  }
}
