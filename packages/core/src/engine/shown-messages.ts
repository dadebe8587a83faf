import { access } from "node:fs/promises"
import { compareMessages } from "../identifier/compare.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import type { ModelMessage } from "../session/model-message.js"
import { toModelMessages } from "../session/model-messages.js"
import { SessionError } from "../session/session-error.js"
import type { Agent } from "./agent.js"
import type { Conversation } from "./conversation.js"
import type { EngineContext } from "./engine-options.js"
import type { Model } from "./model.js"
import { LAST_STEP_REMINDER } from "./prompt/max-steps.js"
import { planReminder } from "./prompt/plan-reminder.js"

/** To whom a conversation is shown, and when. */
export interface ShownMessagesInput {
  readonly session: Session
  readonly agent: Agent
  readonly model: Model
  readonly conversation: Conversation
  /** Whether questions may have come while the model was at work. */
  readonly isUnderWay: boolean
  readonly isLastStep: boolean
}

/** A conversation as the model of a step is to see it, with reminders that are not stored. */
export async function shownMessages(
  context: EngineContext,
  input: ShownMessagesInput,
): Promise<ModelMessage[]> {
  const { session, agent, model, conversation, isUnderWay, isLastStep } = input
  const { history } = conversation
  const plan = await planOf(context, session)
  const reminder = planReminder({ messages: history, agent: agent.name, ...(plan && { plan }) })
  const framed = isUnderWay ? frameLateQuestions(conversation) : history
  const { messages } = await context.plugins.trigger(
    "experimental.chat.messages.transform",
    { sessionID: session.id },
    { messages: reminder === undefined ? [...framed] : withReminder(framed, reminder) },
  )
  const shown = toModelMessages(messages, { model })
  const ending = { role: "assistant", content: [{ type: "text", text: LAST_STEP_REMINDER }] } as const
  return isLastStep ? [...shown, ending] : shown
}

async function planOf(
  { sessions }: EngineContext,
  session: Session,
): Promise<{ path: string; exists: boolean } | undefined> {
  try {
    const path = sessions.planPath(session)
    return { path, exists: await isThere(path) }
  } catch (error) {
    if (SessionError.is(error, "UNSUPPORTED")) return undefined
    throw error
  }
}

function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

function withReminder(history: readonly MessageWithParts[], text: string): MessageWithParts[] {
  const last = history.findLastIndex(({ info }) => info.role === "user")
  return history.map(({ info, parts }, index) => {
    if (index !== last) return { info, parts }
    const ids = { id: "prt_reminder", sessionID: info.sessionID, messageID: info.id }
    return { info, parts: [...parts, { ...ids, type: "text", text, synthetic: true }] }
  })
}

// What is said while the model is at work must neither be taken for its task as a whole, nor be lost among the rest.
function frameLateQuestions({ history, lastFinished }: Conversation): readonly MessageWithParts[] {
  if (lastFinished === undefined) return history
  return history.map(({ info, parts }) => {
    const isLate = info.role === "user" && compareMessages(info, lastFinished) > 0
    return isLate ? { info, parts: parts.map(frame) } : { info, parts }
  })
}

function frame(part: Part): Part {
  if (part.type !== "text" || part.ignored || part.synthetic || part.text.trim() === "") return part
  const lines = [
    "<system-reminder>",
    "While you were working the user said:",
    part.text,
    "",
    "Take care of that too, and go on with your work.",
    "</system-reminder>",
  ]
  return { ...part, text: lines.join("\n") }
}
