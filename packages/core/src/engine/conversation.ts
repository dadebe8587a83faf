import { compareMessages } from "../identifier/compare.js"
import type { AssistantMessage } from "../model/assistant-message.js"
import type { SubtaskPart } from "../model/content-part.js"
import type { Part } from "../model/part.js"
import type { CompactionPart } from "../model/step-part.js"
import type { UserMessage } from "../model/user-message.js"
import type { MessageWithParts } from "../session/message-with-parts.js"

/** What stands in a conversation and decides how it goes on. */
export interface Conversation {
  /** What a model is shown, oldest first. */
  readonly history: readonly MessageWithParts[]
  readonly lastQuestion: UserMessage
  readonly lastAnswer: AssistantMessage | undefined
  /** The last answer that came to an end. */
  readonly lastFinished: AssistantMessage | undefined
  /** What was asked for and must be done before anything is answered. */
  readonly task: PendingTask | undefined
}

/** A part of a question that asks for something of its own. */
export interface PendingTask {
  readonly question: UserMessage
  readonly part: SubtaskPart | CompactionPart
}

/** Reads a history; `undefined` when nothing was asked. */
export function readConversation(history: readonly MessageWithParts[]): Conversation | undefined {
  const messages = history.map(({ info }) => info)
  const lastQuestion = messages.findLast((info) => info.role === "user")
  if (lastQuestion === undefined) return undefined
  return {
    history,
    lastQuestion,
    lastAnswer: messages.findLast((info) => info.role === "assistant"),
    lastFinished: messages.findLast((info) => info.role === "assistant" && info.finish !== undefined) as
      | AssistantMessage
      | undefined,
    task: pendingTasks(history)[0],
  }
}

/**
 * Whether the last question has its answer, and that ended for good. By the order of messages alone it cannot be told:
 * a question may have come while the answer to another was begun.
 */
export function isAnswered({ lastQuestion, lastAnswer }: Conversation): boolean {
  if (lastAnswer === undefined || !isFinal(lastAnswer)) return false
  const { parentID } = lastAnswer
  return parentID === undefined ? compareMessages(lastAnswer, lastQuestion) > 0 : parentID === lastQuestion.id
}

/** Whether an answer ended for good, and not only for tools to be called. */
export function isFinal({ finish }: AssistantMessage): boolean {
  return finish !== undefined && !GOING_ON.includes(finish)
}

/** The reasons to end a step, but not the answer. */
const GOING_ON: readonly string[] = ["tool-calls", "unknown"]

/** The tasks that nobody has begun, oldest first. What was asked before the last answer is over and done with. */
function pendingTasks(history: readonly MessageWithParts[]): PendingTask[] {
  const begun = new Set(history.flatMap(({ parts }) => parts.flatMap(callIDs)))
  const end = history.findLastIndex(({ info, parts }) => {
    return info.role === "assistant" && info.finish !== undefined && !answersSubtask(history, info, parts)
  })
  return history.slice(end + 1).flatMap(({ info, parts }) => {
    if (info.role !== "user") return []
    return parts
      .filter((part) => part.type === "subtask" || part.type === "compaction")
      .filter((part) => (part.type === "subtask" ? !begun.has(part.id) : !isSummedUp(history, info)))
      .map((part) => ({ question: info, part }))
  })
}

// The call of a subtask goes by the id of the part that asks for it.
function answersSubtask(
  history: readonly MessageWithParts[],
  { parentID }: AssistantMessage,
  parts: readonly Part[],
): boolean {
  const question = history.find(({ info }) => info.id === parentID)
  const asked = new Set(question?.parts.filter(({ type }) => type === "subtask").map(({ id }) => id))
  return parts.flatMap(callIDs).some((callID) => asked.has(callID))
}

function callIDs(part: Part): string[] {
  return part.type === "tool" ? [part.callID] : []
}

// A summary that failed is not tried again unasked.
function isSummedUp(history: readonly MessageWithParts[], question: UserMessage): boolean {
  return history.some(
    ({ info }) => info.role === "assistant" && info.summary && info.parentID === question.id,
  )
}
