import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import type { ModelDriver } from "@sessile/core/engine"
import { ModelServer, type Script } from "@sessile/model-server"
import { aiSdkDriver } from "../ai-sdk-driver.js"

/** A server, and a driver that speaks to it over the AI SDK. */
export interface Connection extends AsyncDisposable {
  readonly server: ModelServer
  readonly driver: ModelDriver
}

/** Starts a server with this script. */
export async function connect(script: Script): Promise<Connection> {
  const server = await ModelServer.start(script)
  const provider = createOpenAICompatible({ name: "mock", baseURL: server.url, apiKey: "key" })
  return {
    server,
    driver: aiSdkDriver({ model: provider("large") }),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}
