import type { MessageWithParts } from "../session/message-with-parts.js"

const THRESHOLD = 3

/** What a model wanted a tool to do. */
export interface RequestedCall {
  readonly tool: string
  readonly input: unknown
}

/** Whether the last three calls are one and the same: the model is likely to go round in circles. */
export function isDoomLoop(calls: readonly RequestedCall[]): boolean {
  if (calls.length < THRESHOLD) return false
  const last = calls.slice(-THRESHOLD).map(({ tool, input }) => JSON.stringify([tool, input]))
  return last.every((call) => call === last[0])
}

/** The calls that were made so far to answer a question, oldest first. */
export function callsOfTurn(history: readonly MessageWithParts[], questionID: string): RequestedCall[] {
  return history
    .filter(({ info }) => info.role === "assistant" && info.parentID === questionID)
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool")
    .map(({ tool, state }) => ({ tool, input: state.input }))
}
