import { setImmediate } from "node:timers/promises"
import type { DriverEvent, ModelDriver, RequestMessage, Tool } from "@sessile/core/engine"
import type { BusEvent, SessionEvents } from "@sessile/core/event"
import type { Storage } from "@sessile/core/storage"
import { z } from "zod"
import { openEngine } from "../open-engine.js"

/** How many steps each session takes. */
export const STEPS = 50

/** The size of what a tool gives: enough to show in memory if it were kept. */
const OUTPUT = 1_000

/** What somebody in the crowd says in a step. */
export function saying(name: string, step: number): string {
  return `${name} takes step ${step}.`
}

/** What the tool gives to somebody in a step. */
export function toolOutput(text: string): string {
  return text.padEnd(OUTPUT, ".")
}

/** Has all of them work at the same time, each in a session of its own, and gives what each session told, in brief. */
export async function runCrowd(storage: Storage, names: readonly string[]): Promise<string[]> {
  const { engine, sessions, bus } = openEngine(storage, {
    driver,
    tools: [echo],
    settings: { titles: false },
  })
  const told = new Map<string, string[]>()
  bus.subscribe("*", (event) => told.get(sessionOf(event) ?? "")?.push(brief(event)))
  await Promise.all(
    names.map(async (name) => {
      const { id } = await sessions.create({ title: name })
      told.set(id, [])
      await engine.prompt(id, { parts: [{ type: "text", text: name }] })
    }),
  )
  await engine.close()
  return [...told.values()].map((events) => events.join("\n"))
}

const driver: ModelDriver = {
  async *stream({ messages }): AsyncGenerator<DriverEvent> {
    const name = firstText(messages)
    const step = messages.filter(({ role }) => role === "assistant").length
    const finishReason = step + 1 < STEPS ? "tool-calls" : "stop"
    yield { type: "start-step" }
    yield { type: "text-start", id: "text" }
    for (const text of saying(name, step).split(/(?<= )/)) {
      // Lets the others have their turn, as a network would.
      await setImmediate()
      yield { type: "text-delta", id: "text", text }
    }
    yield { type: "text-end", id: "text" }
    if (finishReason === "tool-calls") {
      const input = { text: saying(name, step) }
      yield { type: "tool-input-start", id: "call", toolName: "echo" }
      yield { type: "tool-call", toolCallID: "call", toolName: "echo", input }
    }
    const usage = { inputTokens: 100 * step, outputTokens: 20, totalTokens: 100 * step + 20 }
    yield { type: "finish-step", finishReason, usage }
  },
}

const input = z.object({ text: z.string() })

const echo: Tool<typeof input> = {
  name: "echo",
  description: "Says it again",
  input,
  async execute({ text }) {
    await setImmediate()
    return { title: "Echo", output: toolOutput(text) }
  },
}

function firstText(messages: readonly RequestMessage[]): string {
  const question = messages.find((message) => message.role === "user")
  const piece = question?.content.find((each) => each.type === "text")
  return piece?.text ?? ""
}

function sessionOf(event: BusEvent<SessionEvents>): string | undefined {
  if (event.type === "message.part.updated") return event.properties.part.sessionID
  if (event.type === "message.updated") return event.properties.info.sessionID
  return "sessionID" in event.properties ? event.properties.sessionID : undefined
}

/** What happened, without what differs between two sessions that do the same. */
function brief({ type, properties }: BusEvent<SessionEvents>): string {
  if (type === "session.status") return `${type} ${properties.status.type}`
  if (type === "message.updated") {
    const { info } = properties
    return `${type} ${info.role} ${info.role === "assistant" ? (info.finish ?? "begun") : ""}`
  }
  if (type !== "message.part.updated") return type
  const { part, delta } = properties
  const state = part.type === "tool" ? part.state.status : ""
  return `${type} ${part.type} ${state}${delta === undefined ? "" : "grows"}`
}
