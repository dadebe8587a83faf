import type { ModelReference } from "../model/model-reference.js"
import type { UserMessage } from "../model/user-message.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { MessageFields } from "../session/messages.js"
import type { PartFields } from "../session/parts.js"
import type { EngineContext } from "./engine-options.js"
import { timeAfter } from "./message-time.js"

/** A question, and what it says of itself. */
export interface Question {
  readonly fields: Omit<Extract<MessageFields, { role: "user" }>, "role" | "time">
  readonly parts: readonly PartFields[]
}

/** When the newest message of a session was made, and who was asked last. */
export interface Latest {
  readonly time: number
  readonly agent?: string | undefined
  readonly model?: ModelReference | undefined
  readonly tools?: UserMessage["tools"]
}

/** What the answer changed, as long as it has changed nothing. */
const NO_CHANGES = { diffs: [] }

/**
 * Adds a question behind all that is there. Several that come at once are added one after the other: the last one is
 * the one to be answered, and must not slip in before another.
 */
export function addQuestion(
  context: EngineContext,
  sessionID: string,
  compose: (latest: Latest) => Question | Promise<Question>,
): Promise<MessageWithParts> {
  const { sessions, clock, locks } = context
  return locks.exclusive(sessionID, async () => {
    const latest = await readLatest(context, sessionID)
    const { fields, parts } = await compose(latest)
    const time = { created: timeAfter(latest.time, clock()) }
    return sessions.messages.add(sessionID, { summary: NO_CHANGES, ...fields, role: "user", time }, parts)
  })
}

/** Adds a question that the program asks in the name of the user, of the same agent, model and tools as another. */
export function askAgain(
  context: EngineContext,
  { sessionID, agent = context.agents.default.name, model = context.models.default, tools }: UserMessage,
  part: PartFields,
): Promise<MessageWithParts> {
  const fields = { agent, model: referenceTo(model), ...(tools && { tools }) }
  return addQuestion(context, sessionID, () => ({ fields, parts: [part] }))
}

/** What is stored of a model. */
export function referenceTo({ providerID, modelID }: ModelReference): ModelReference {
  return { providerID, modelID }
}

async function readLatest({ sessions }: EngineContext, sessionID: string): Promise<Latest> {
  let time: number | undefined
  for await (const { info } of sessions.messages.stream(sessionID)) {
    time ??= info.time.created
    if (info.role === "user") return { time, agent: info.agent, model: info.model, tools: info.tools }
  }
  return { time: time ?? 0 }
}
