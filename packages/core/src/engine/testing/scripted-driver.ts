import type { DriverEvent, ModelDriver, ModelRequest } from "../model-driver.js"

/** What a model does when it is asked. */
export type Reply = readonly DriverEvent[] | ((request: ModelRequest) => AsyncIterable<DriverEvent>)

/** A model that says what it was told to say, one reply per request. */
export class ScriptedDriver implements ModelDriver {
  readonly requests: ModelRequest[] = []
  readonly #replies: Reply[]

  constructor(replies: readonly Reply[] = []) {
    this.#replies = [...replies]
  }

  /** What is said after everything else. */
  add(...replies: Reply[]): void {
    this.#replies.push(...replies)
  }

  async *stream(request: ModelRequest): AsyncGenerator<DriverEvent, void, void> {
    this.requests.push(request)
    const reply = this.#replies.shift()
    if (reply === undefined) throw new Error("The script has no further reply")
    yield* typeof reply === "function" ? reply(request) : reply
  }

  /** How many replies were not asked for. */
  get left(): number {
    return this.#replies.length
  }
}

export const usage = {
  inputTokens: 1200,
  outputTokens: 50,
  totalTokens: 1250,
  reasoningTokens: 7,
  cachedInputTokens: 300,
}

/** A whole answer: a step with these events in it. */
export function step(
  finishReason: string,
  ...events: (DriverEvent | readonly DriverEvent[])[]
): DriverEvent[] {
  return [
    { type: "start" },
    { type: "start-step" },
    ...events.flat(),
    { type: "finish-step", finishReason, usage },
    { type: "finish" },
  ]
}

/** An answer that is nothing but a text. */
export function says(text: string): DriverEvent[] {
  return step("stop", text ? textOf(text) : [])
}

/** A text, word by word. */
export function textOf(text: string, id = "text"): DriverEvent[] {
  const deltas = text.split(/(?<= )/).map((piece) => ({ type: "text-delta", id, text: piece }) as const)
  return [{ type: "text-start", id }, ...deltas, { type: "text-end", id }]
}

/** The call of a tool, as providers stream it. */
export function callOf(toolName: string, input: unknown, id = "call_1"): DriverEvent[] {
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta: JSON.stringify(input) },
    { type: "tool-input-end", id },
    { type: "tool-call", toolCallID: id, toolName, input },
  ]
}

/** An answer that calls a tool and waits for what it gives. */
export function calls(toolName: string, input: unknown, id?: string): DriverEvent[] {
  return step("tool-calls", callOf(toolName, input, id))
}

/** Some events, and then nothing until the request is ended. */
export function hangs(...events: readonly DriverEvent[]): Reply {
  return async function* (request) {
    yield* events
    await new Promise((_, reject) => {
      request.signal.addEventListener("abort", () => reject(request.signal.reason))
    })
  }
}

/** Some events, and then an error. */
export function fails(error: unknown, ...events: readonly DriverEvent[]): Reply {
  return async function* () {
    yield* events
    throw error
  }
}
