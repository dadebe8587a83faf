import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { aiSdkDriver } from "@sessile/ai-sdk"
import type { Model, Models } from "@sessile/core/engine"

const cost = { input: 3, output: 15, cache: { read: 0.3, write: 3.75 } }

/** Answers what is asked. */
export const large: Model = {
  providerID: "mock",
  modelID: "large",
  limit: { context: 100_000, output: 8_000 },
  cost,
}

/** The same, with room for less. */
export const narrow: Model = { ...large, modelID: "narrow", limit: { context: 6_000, output: 1_000 } }

/** Gives titles. */
export const small: Model = { ...large, modelID: "small" }

const models = [large, narrow, small]

/** The settings with which opencode has these models. */
export function opencodeSettings(baseURL: string): object {
  return {
    autoupdate: false,
    share: "disabled",
    model: "mock/large",
    small_model: "mock/small",
    provider: {
      mock: {
        npm: "@ai-sdk/openai-compatible",
        options: { baseURL, apiKey: "key" },
        models: Object.fromEntries(models.map(({ modelID, limit }) => [modelID, opencodeModel(limit)])),
      },
    },
  }
}

/** These models for an engine. */
export function engineModels(baseURL: string): Models {
  const provider = createOpenAICompatible({ name: "mock", baseURL, apiKey: "key", includeUsage: true })
  return {
    default: large,
    small,
    get: ({ modelID }) => {
      const model = models.find((each) => each.modelID === modelID)
      if (model === undefined) throw new Error(`There is no model ${modelID}`)
      return { model, driver: aiSdkDriver({ model: provider(modelID) }) }
    },
  }
}

function opencodeModel(limit: Model["limit"]): object {
  const { input, output, cache } = cost
  return {
    tool_call: true,
    reasoning: true,
    limit,
    cost: { input, output, cache_read: cache.read, cache_write: cache.write },
  }
}
