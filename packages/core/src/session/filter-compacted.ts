import type { AssistantMessage } from "../model/assistant-message.js"
import type { MessageWithParts } from "./message-with-parts.js"

/**
 * The messages that a model is shown, oldest first: all back to the last compaction that was finished, beginning
 * with the message that asked for it. Nothing older is read.
 *
 * @param newestFirst the messages of one session in the reverse of the order of `compareMessages`
 */
export async function filterCompacted(
  newestFirst: AsyncIterable<MessageWithParts>,
): Promise<MessageWithParts[]> {
  const messages: MessageWithParts[] = []
  const summarized = new Set<string>()
  for await (const message of newestFirst) {
    messages.push(message)
    const { info, parts } = message
    if (info.role === "user") {
      if (summarized.has(info.id) && parts.some(({ type }) => type === "compaction")) break
    } else if (info.parentID !== undefined && isFinishedSummary(info)) {
      summarized.add(info.parentID)
    }
  }
  return messages.reverse()
}

// Some releases note only the time at which an answer ended, not why.
function isFinishedSummary({ summary, error, finish, time }: AssistantMessage): boolean {
  return summary === true && error === undefined && (finish !== undefined || time.completed !== undefined)
}
