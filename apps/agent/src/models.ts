import { readFile } from "node:fs/promises"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { aiSdkDriver } from "@sessile/ai-sdk"
import { type Models, oneModel, type RecordingOptions, replayDriver } from "@sessile/core/engine"

const limit = { context: 128_000, output: 8_000 }

/** Any OpenAI-compatible endpoint. */
export function endpointModels(baseURL: string, modelID: string, apiKey: string | undefined): Models {
  const provider = createOpenAICompatible({ name: "endpoint", baseURL, apiKey, includeUsage: true })
  return oneModel({ providerID: "endpoint", modelID, limit }, aiSdkDriver({ model: provider(modelID) }))
}

/** What a model once said to the prompt of the demo: it needs neither key nor network. */
export async function demoModels(): Promise<Models> {
  const recording = JSON.parse(await readFile(new URL("../demo.json", import.meta.url), "utf8"))
  return oneModel({ providerID: "endpoint", modelID: "demo", limit }, replayDriver(recording, demoOptions))
}

/** What the demo asks. */
export const demoPrompt = "Look around, and write what you find into NOTES.md."

/** Folders and days differ, so the demo goes by the step alone. */
export const demoOptions: RecordingOptions = {
  asked: ({ tools, messages }) => [tools.length > 0, messages.filter(({ role }) => role === "tool").length],
}
