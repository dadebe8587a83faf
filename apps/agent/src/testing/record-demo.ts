import { join } from "node:path"
import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { aiSdkDriver } from "@sessile/ai-sdk"
import { oneModel, type RecordedExchange, type Recording, recordDriver } from "@sessile/core/engine"
import { answer, inOrder, ModelServer, text, toolCall, usage } from "@sessile/model-server"
import { runAgent } from "../agent.js"
import { demoOptions, demoPrompt } from "../models.js"

const notes = "# Notes\n\nThe agent looked around here, and left this file.\n"

/** Has a scripted model answer the prompt of the demo in a folder, and records what it says. */
export async function recordDemo(folder: string): Promise<Recording> {
  const steps = inOrder(
    answer(
      text("I will ", "look around first.\n"),
      toolCall("list", { path: "." }),
      usage({ input: 900, output: 30 }),
    ),
    answer(
      text("Now I ", "write the notes.\n"),
      toolCall("write", { path: "NOTES.md", content: notes }),
      usage({ input: 960, output: 40, cached: 900 }),
    ),
    answer(text("Done: ", "NOTES.md ", "is there."), usage({ input: 1010, output: 12, cached: 960 })),
  )
  await using server = await ModelServer.start((request) =>
    request.tools === undefined ? answer(text("Notes on a folder")) : steps(request),
  )
  const provider = createOpenAICompatible({ name: "endpoint", baseURL: server.url, includeUsage: true })
  const exchanges: RecordedExchange[] = []
  const driver = recordDriver(
    aiSdkDriver({ model: provider("demo") }),
    // How many messages of the system there are depends on the machine.
    (exchange) => exchanges.push({ ...exchange, request: { ...exchange.request, messages: 1 } }),
    demoOptions,
  )
  const model = { providerID: "endpoint", modelID: "demo", limit: { context: 128_000, output: 8_000 } }
  await runAgent({
    folder,
    store: join(folder, "agent.db"),
    models: oneModel(model, driver),
    prompts: [demoPrompt],
    environment: { variables: { HOME: folder } },
    print: () => undefined,
    ask: async () => "y",
  })
  exchanges.sort((a, b) => (a.request.sha256 < b.request.sha256 ? -1 : 1))
  return { version: 1, exchanges }
}
