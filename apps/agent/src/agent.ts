import { Agents, builtInAgents, Engine, type Models, projectPrompt } from "@sessile/core/engine"
import { EventBus } from "@sessile/core/event"
import { Permissions, rulesFromConfig } from "@sessile/core/permission"
import { Projects } from "@sessile/core/project"
import { Sessions } from "@sessile/core/session"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { createTools } from "./tools.js"

/** Where an agent works, with what, and how it tells and asks people something. */
export interface AgentOptions {
  readonly folder: string
  readonly store: string
  readonly models: Models
  readonly prompts: Iterable<string> | AsyncIterable<string>
  print(text: string): void
  ask(question: string): Promise<string>
}

/** Answers prompts in one new session, until there are no more, and keeps the session in the store. */
export async function runAgent({ folder, store, models, prompts, print, ask }: AgentOptions): Promise<void> {
  await using storage = await SqliteStorage.open({ path: store })
  const bus = new EventBus()
  const project = await new Projects({ storage }).resolve(folder)
  const sessions = new Sessions({ storage, project, bus, directory: folder })
  const permissions = new Permissions({ bus })
  const rules = rulesFromConfig({ edit: "ask", bash: "ask" })
  const agents = new Agents({ agents: builtInAgents({ rules }) })
  const tools = createTools(folder)
  const systemPrompt = projectPrompt(project)
  await using engine = new Engine({ sessions, bus, models, agents, tools, permissions, systemPrompt })

  bus.subscribe("message.part.updated", ({ properties: { part, delta } }) => {
    if (part.type === "text" && delta !== undefined) print(delta)
    if (part.type !== "tool") return
    if (part.state.status === "completed") print(`[${part.tool} ${part.state.title}]\n`)
    if (part.state.status === "error") print(`[${part.tool}: ${part.state.error}]\n`)
  })
  bus.subscribe("permission.asked", async ({ properties: { id, permission, patterns } }) => {
    const reply = await ask(`Allow ${permission} ${patterns.join(", ")}? (y)es, (a)lways, (n)o: `)
    await permissions.reply(id, reply === "a" ? "always" : reply === "y" ? "once" : "reject")
  })

  const { id } = await sessions.create()
  for await (const text of prompts) {
    const { info } = await engine.prompt(id, { parts: [{ type: "text", text }] })
    const error = info.role === "assistant" ? info.error : undefined
    print(error === undefined ? "\n" : `\nFailed: ${error.data?.message ?? error.name}\n`)
  }
}
