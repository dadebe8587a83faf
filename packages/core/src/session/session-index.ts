import type { TextPart } from "../model/content-part.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { MessageWithParts } from "./message-with-parts.js"

/** What a list of conversations shows of one. */
export interface SessionIndexEntry {
  readonly id: string
  readonly title: string
  readonly time: { readonly created: number; readonly updated: number }
  /** What the session changed, once that is known. */
  readonly summary?: { readonly additions: number; readonly deletions: number; readonly files: number }
  /** The first text that the user wrote, if there is any. */
  readonly firstUserText?: string
  /** The last text that the user wrote; the same as the first when there is one only. */
  readonly lastUserText?: string
  readonly messages: { readonly user: number; readonly assistant: number }
}

/** Sums up a session and its messages, oldest first. Whether to list child sessions is for the caller to say. */
export function sessionIndexEntry(
  session: Session,
  messages: readonly MessageWithParts[],
): SessionIndexEntry {
  const { id, title, time, summary } = session
  const texts = messages.map(writtenText).filter((text) => text !== undefined)
  const [firstUserText, lastUserText] = [texts.at(0), texts.at(-1)]
  const user = messages.filter(({ info }) => info.role === "user").length
  return {
    id,
    title,
    time: { created: time.created, updated: time.updated },
    ...(summary && {
      summary: { additions: summary.additions, deletions: summary.deletions, files: summary.files },
    }),
    ...(firstUserText !== undefined && { firstUserText }),
    ...(lastUserText !== undefined && { lastUserText }),
    messages: { user, assistant: messages.length - user },
  }
}

function writtenText({ info, parts }: MessageWithParts): string | undefined {
  return info.role === "user" ? parts.find(isWritten)?.text : undefined
}

function isWritten(part: Part): part is TextPart {
  return part.type === "text" && !part.synthetic && !part.ignored
}
