import type { MessageWithParts } from "../session/message-with-parts.js"
import { isObject } from "./is-object.js"

/** How often the same calls follow each other in a loop. */
const REPETITIONS = 3

/** How many calls may make up what is repeated. */
const LONGEST_CYCLE = 4

/** What a model wanted a tool to do. */
export interface RequestedCall {
  readonly tool: string
  readonly input: unknown
}

/**
 * Whether the last calls are one and the same three times, or up to four that take turns three times: the model is
 * likely to go round in circles. The order of the fields in an input makes no difference.
 */
export function isDoomLoop(calls: readonly RequestedCall[]): boolean {
  const last = calls.slice(-LONGEST_CYCLE * REPETITIONS).map(({ tool, input }) => {
    return JSON.stringify([tool, sorted(input)])
  })
  for (let length = 1; length <= LONGEST_CYCLE; length++) {
    const cycles = last.slice(-length * REPETITIONS)
    const isComplete = cycles.length === length * REPETITIONS
    if (isComplete && cycles.every((call, index) => call === cycles[index % length])) return true
  }
  return false
}

/** The calls that were made so far to answer a user message, oldest first. */
export function callsOfTurn(history: readonly MessageWithParts[], questionID: string): RequestedCall[] {
  return history
    .filter(({ info }) => info.role === "assistant" && info.parentID === questionID)
    .flatMap(({ parts }) => parts)
    .filter((part) => part.type === "tool")
    .map(({ tool, state }) => ({ tool, input: state.input }))
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (!isObject(value)) return value
  const names = Object.keys(value).sort()
  return names.map((name) => [name, sorted(value[name])])
}
