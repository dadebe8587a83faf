import { aiSdkDriver } from "@sessile/ai-sdk"
import { Agents, builtInAgents, Engine, type Tool } from "@sessile/core/engine"
import { EventBus } from "@sessile/core/event"
import { Permissions } from "@sessile/core/permission"
import { Sessions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"
import { type LanguageModel, stepCountIs, streamText, tool } from "ai"
import { z } from "zod"
import { project } from "../sample-records.js"
import { STEPS } from "./streaming-model.js"

const input = z.object({ step: z.number() })
const description = "Looks around"
const output = "Nothing is there."
const question = "Look around."

/** Runs the AI SDK bare: reads all that it gives, and keeps nothing. */
export async function runBare(model: LanguageModel): Promise<void> {
  const look = tool({ description, inputSchema: input, execute: async () => output })
  const { fullStream } = streamText({
    model,
    prompt: question,
    tools: { look },
    stopWhen: stepCountIs(STEPS),
  })
  let steps = 0
  for await (const { type } of fullStream) if (type === "finish-step") steps++
  check(steps)
}

/** An engine on a store, which has the same done over the AI SDK, in a new session each time. */
export function engineOn(storage: Storage): (model: LanguageModel) => Promise<void> {
  const look: Tool = { name: "look", description, input, execute: async () => ({ title: "", output }) }
  return async (languageModel) => {
    const bus = new EventBus()
    const sessions = new Sessions({ storage, project, bus })
    const model = { providerID: "mock", modelID: "large", limit: { context: 1_000_000, output: 8_000 } }
    const driver = aiSdkDriver({ model: languageModel })
    await using engine = new Engine({
      sessions,
      bus,
      models: { default: model, get: () => ({ model, driver }) },
      agents: new Agents({ agents: builtInAgents() }),
      tools: [look],
      permissions: new Permissions({ bus }),
      settings: { titles: false },
      worktree: project.worktree,
    })
    const { id } = await sessions.create()
    await engine.prompt(id, { parts: [{ type: "text", text: question }] })
    check((await sessions.messages.load(id)).length - 1)
  }
}

function check(steps: number): void {
  if (steps !== STEPS) throw new Error(`The run took ${steps} steps of ${STEPS}`)
}
