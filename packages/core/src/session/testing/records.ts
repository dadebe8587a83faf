import type { AssistantMessage } from "../../model/assistant-message.js"
import type { Message } from "../../model/message.js"
import type { Part } from "../../model/part.js"
import type { Session } from "../../model/session.js"
import type { UserMessage } from "../../model/user-message.js"
import type { MessageWithParts } from "../message-with-parts.js"

/** The model that gives all answers, unless a test says otherwise. */
export const model = { providerID: "anthropic", modelID: "large" }

export const noTokens = { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } }

type PartFields = {
  [Each in Part as Each["type"]]: Omit<Each, "id" | "sessionID" | "messageID">
}[Part["type"]]

/** A part of some message; its own fields are all that a test looks at. */
export function part(fields: PartFields): Part {
  return { id: "prt_1", sessionID: "ses_1", messageID: "msg_1", ...fields } as Part
}

export function text(value: string): Part {
  return part({ type: "text", text: value })
}

/** A completed call of the tool `bash`. */
export function tool(output: string, compacted?: number): Part {
  const time = { start: 1, end: 2, ...(compacted !== undefined && { compacted }) }
  return part({
    type: "tool",
    callID: "call_1",
    tool: "bash",
    state: { status: "completed", input: { command: "ls" }, output, title: "ls", metadata: {}, time },
  })
}

export function session(fields: Partial<Session> & { id: string }): Session {
  return {
    title: "Session",
    version: "1.1.65",
    projectID: "global",
    time: { created: 1, updated: 1 },
    ...fields,
  }
}

export function user(fields: Partial<UserMessage> = {}): UserMessage {
  return { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1 }, ...fields }
}

export function assistant(fields: Partial<AssistantMessage> = {}): AssistantMessage {
  return {
    id: "msg_2",
    sessionID: "ses_1",
    role: "assistant",
    time: { created: 2, completed: 3 },
    parentID: "msg_1",
    ...model,
    path: { cwd: "/", root: "/" },
    cost: 0,
    tokens: noTokens,
    ...fields,
  }
}

export function withParts(info: Message, ...parts: Part[]): MessageWithParts {
  return { info, parts }
}
