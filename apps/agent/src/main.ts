import { createInterface } from "node:readline/promises"
import { runAgent } from "./agent.js"
import { demoModels, demoPrompt, endpointModels } from "./models.js"

/** Runs the agent in the terminal, on the endpoint that the environment names, or else on its demo. */
export async function main([store = "agent.db"]: readonly string[]): Promise<void> {
  const { AGENT_BASE_URL: baseURL, AGENT_MODEL: modelID = "default", AGENT_API_KEY: apiKey } = process.env
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const lines = terminal[Symbol.asyncIterator]()
  const print = (text: string) => void process.stdout.write(text)
  const ask = async (question: string): Promise<string> => {
    print(question)
    return (await lines.next()).value ?? ""
  }
  const controller = new AbortController()
  const end = () => {
    controller.abort()
    terminal.close()
  }
  terminal.on("SIGINT", end)
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, end)
  const models = baseURL === undefined ? await demoModels() : endpointModels(baseURL, modelID, apiKey)
  const prompts = baseURL === undefined ? [demoPrompt] : typed()
  if (baseURL === undefined) print(`No AGENT_BASE_URL is set: a recorded model answers.\n> ${demoPrompt}\n`)
  const { signal } = controller
  await runAgent({ folder: process.cwd(), store, models, prompts, signal, print, ask })
  terminal.close()

  async function* typed(): AsyncGenerator<string> {
    for (let text = await ask("> "); text !== ""; text = await ask("> ")) yield text
  }
}
