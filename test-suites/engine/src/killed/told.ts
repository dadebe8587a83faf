import type { Message, Part } from "@sessile/core/model"
import type { GrowingPart } from "@sessile/core/session"

/** What a process that is going to be killed tells. */
export type Told = { readonly message: Message } | { readonly part: Part } | { readonly callID: string }

/** All that a process told before it was killed. */
export class Account {
  /** As they were told last, by id. */
  readonly messages = new Map<string, Message>()
  readonly parts = new Map<string, Part>()
  /** The calls of tools that were begun. */
  readonly calls = new Set<string>()

  add(told: Told): void {
    if ("message" in told) this.messages.set(told.message.id, told.message)
    else if ("part" in told) this.parts.set(told.part.id, told.part)
    else this.calls.add(told.callID)
  }
}

/** Whether nobody may change the message any more. */
export function isFinalMessage(message: Message): boolean {
  return message.role === "user" || message.time.completed !== undefined
}

/** Whether nobody may change the part any more. */
export function isFinalPart(part: Part): boolean {
  if (part.type === "tool") return part.state.status === "completed" || part.state.status === "error"
  if (part.type !== "reasoning" && part.type !== "text") return true
  const { time } = part as GrowingPart
  return time === undefined || time.end !== undefined
}

/** Whether it is a summary that was not finished: such a one is made anew. */
export function isUnfinishedSummary(message: Message | undefined): boolean {
  return message?.role === "assistant" && message.summary === true && message.finish === undefined
}
