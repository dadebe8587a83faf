import type { FileContent, ModelMessage, TextContent, ToolResultOutput } from "@sessile/core/session"
import type { ModelMessage as AiMessage, ToolResultPart } from "ai"

type AiOutput = ToolResultPart["output"]
type AiContent = (AiOutput & { type: "content" })["value"][number]

/** The messages in the form of the AI SDK, whose names ours have: only files among the outputs of tools differ. */
export function toAiMessages(messages: readonly ModelMessage[]): AiMessage[] {
  return messages.map((message) => {
    if (message.role !== "tool") return message as AiMessage
    const content = message.content.map((part) => ({ ...part, output: toAiOutput(part.output) }))
    return { ...message, content } as AiMessage
  })
}

function toAiOutput(output: ToolResultOutput): AiOutput {
  return output.type === "content" ? { type: "content", value: output.value.map(toAiContent) } : output
}

function toAiContent(content: TextContent | FileContent): AiContent {
  if (content.type === "text") return { type: "text", text: content.text }
  const { data: url, mediaType, filename } = content
  const isImage = mediaType.startsWith("image/")
  const data = /^data:[^,]*;base64,(.*)$/s.exec(url)?.[1]
  if (data === undefined) return isImage ? { type: "image-url", url } : { type: "file-url", url, mediaType }
  if (isImage) return { type: "image-data", data, mediaType }
  return { type: "file-data", data, mediaType, ...(filename !== undefined && { filename }) }
}
