import { randomUUID } from "node:crypto"
import { setImmediate } from "node:timers/promises"
import {
  CONTINUATION_REQUEST,
  type DriverEvent,
  type ModelDriver,
  type ModelRequest,
  type Tool,
} from "@sessile/core/engine"
import { z } from "zod"

/**
 * A model that remembers nothing: what it does follows from what it is shown. It says something, calls two tools at
 * once, gives a task to somebody else, fills its context, and is done once that was summed up.
 */
export const worker: ModelDriver = {
  async *stream(request): AsyncGenerator<DriverEvent> {
    const { events, input = 1_000 } = next(request)
    const isCalling = events.some(({ type }) => type === "tool-call")
    yield { type: "start-step" }
    for (const event of events) {
      // A network would leave others their time, too.
      await setImmediate()
      yield event
    }
    const usage = { inputTokens: input, outputTokens: 50, totalTokens: input + 50 }
    yield { type: "finish-step", finishReason: isCalling ? "tool-calls" : "stop", usage }
  },
}

/** A tool that tells of each call before it does anything. */
export function countingTool(onCall: (callID: string) => void): Tool {
  return {
    name: "count",
    description: "Counts",
    input: z.object({ from: z.number() }),
    async execute(_, { callID, report }) {
      onCall(callID)
      await report({ title: "Counting", metadata: { at: 1 } })
      await setImmediate()
      return { title: "Counted", output: "1 2 3" }
    },
  }
}

interface NextStep {
  readonly events: readonly DriverEvent[]
  /** The tokens that the request took. */
  readonly input?: number
}

function next({ tools, messages }: ModelRequest): NextStep {
  if (tools.length === 0) return { events: text("This is what was said so far.") }
  const asked = messages.findLastIndex(({ role }) => role === "user")
  const step = messages.slice(asked).filter(({ role }) => role === "assistant").length
  const isSubagent = tools.every(({ name }) => name !== "task")
  if (isSubagent) return { events: step === 0 ? call("count", { from: 1 }) : text("I looked.") }
  if (JSON.stringify(messages[asked]).includes(CONTINUATION_REQUEST)) return { events: text("That was all.") }
  if (step === 0) {
    const begin = [...thoughts("Let me see."), ...text("I begin by counting, twice.")]
    return { events: [...begin, ...call("count", { from: 1 }), ...call("count", { from: 2 })] }
  }
  if (step === 1) return { events: call("task", task) }
  return { events: call("count", { from: 3 }), input: 99_000 }
}

const task = { description: "look around", prompt: "Look around", subagent_type: "general" }

function text(words: string): DriverEvent[] {
  const deltas = words
    .split(/(?<= )/)
    .map((piece) => ({ type: "text-delta", id: "text", text: piece }) as const)
  return [{ type: "text-start", id: "text" }, ...deltas, { type: "text-end", id: "text" }]
}

function thoughts(words: string): DriverEvent[] {
  return [
    { type: "reasoning-start", id: "thoughts" },
    { type: "reasoning-delta", id: "thoughts", text: words },
    { type: "reasoning-end", id: "thoughts" },
  ]
}

function call(toolName: string, input: object): DriverEvent[] {
  const id = randomUUID()
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-call", toolCallID: id, toolName, input },
  ]
}
