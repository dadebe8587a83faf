import type { ModelMessage } from "../session/model-message.js"
import { outputTokenBudget } from "../session/overflow.js"
import type { Agent } from "./agent.js"
import type { EngineContext } from "./engine-options.js"
import type { Model } from "./model.js"
import type { ModelRequest, ToolDefinition } from "./model-driver.js"
import { withCacheMarks } from "./prompt/cache-marks.js"

/** What a request is made of. */
export interface RequestInput {
  readonly sessionID: string
  readonly agent: Agent
  readonly model: Model
  readonly system: readonly string[]
  readonly messages: readonly ModelMessage[]
  readonly tools: readonly ToolDefinition[]
}

/** Makes a request, as plugins want it. */
export async function createRequest(
  { plugins }: EngineContext,
  { sessionID, agent, model, messages, tools, ...input }: RequestInput,
): Promise<Omit<ModelRequest, "signal">> {
  const { system } = await plugins.trigger(
    "experimental.chat.system.transform",
    { sessionID },
    { system: [...input.system] },
  )
  const { options, ...parameters } = await plugins.trigger(
    "chat.params",
    { sessionID, agent, model },
    {
      ...(agent.temperature !== undefined && { temperature: agent.temperature }),
      ...(agent.topP !== undefined && { topP: agent.topP }),
      options: { ...model.options, ...agent.options },
    },
  )
  const budget = outputTokenBudget(model.limit)
  const all = [...system.map((content) => ({ role: "system", content }) as const), ...messages]
  return {
    model,
    sessionID,
    messages: withCacheMarks(all, model),
    tools,
    ...parameters,
    ...(budget > 0 && { maxOutputTokens: budget }),
    ...(Object.keys(options).length > 0 && { providerOptions: options }),
  }
}
