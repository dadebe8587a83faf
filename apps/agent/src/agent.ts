import { Agents, Engine, type Models, projectPrompt } from "@sessile/core/engine"
import { EventBus } from "@sessile/core/event"
import type { PathEnvironment } from "@sessile/core/paths"
import { Permissions } from "@sessile/core/permission"
import { Projects } from "@sessile/core/project"
import { Sessions } from "@sessile/core/session"
import { SqliteStorage } from "@sessile/storage-sqlite"
import { printable, printableLine } from "./printable.js"
import { loadSettings } from "./settings.js"
import { createTools } from "./tools.js"

/** Where an agent works, with what, and how it shows and asks people something. */
export interface AgentOptions {
  readonly folder: string
  readonly store: string
  readonly models: Models
  readonly prompts: Iterable<string> | AsyncIterable<string>
  /** Where the user's own settings are; by default those of the running process. */
  readonly environment?: PathEnvironment
  /** Ends what the agent is doing, commands included. */
  readonly signal?: AbortSignal
  print(text: string): void
  ask(question: string): Promise<string>
}

/** Answers prompts in one new session, until there are no more, and keeps the session in the store. */
export async function runAgent(options: AgentOptions): Promise<void> {
  const { folder, store, models, prompts, environment, signal, print, ask } = options
  await using storage = await SqliteStorage.open({ path: store })
  const bus = new EventBus()
  const project = await new Projects({ storage }).resolve(folder)
  const sessions = new Sessions({ storage, project, bus, directory: folder })
  const permissions = new Permissions({ bus })
  const settings = await loadSettings({ folder, worktree: project.worktree, environment, print, ask })
  const agents = new Agents({ agents: settings.agents })
  const tools = createTools(folder)
  const { instructions, isTrusted } = settings
  const systemPrompt = projectPrompt(project, { instructions, isTrusted, environment })
  await using engine = new Engine({ sessions, bus, models, agents, tools, permissions, systemPrompt })

  bus.subscribe("message.part.updated", ({ properties: { part, delta } }) => {
    if (part.type === "text" && delta !== undefined) print(printable(delta))
    if (part.type !== "tool") return
    if (part.state.status === "completed") print(`[${printableLine(`${part.tool} ${part.state.title}`)}]\n`)
    if (part.state.status === "error") print(`[${printable(`${part.tool}: ${part.state.error}`)}]\n`)
  })
  bus.subscribe("permission.asked", async ({ properties: { id, permission, patterns } }) => {
    const wanted = printableLine(`${permission} ${patterns.join(", ")}`)
    const reply = await ask(`Allow ${wanted}? (y)es, (a)lways, (n)o: `)
    await permissions.reply(id, reply === "a" ? "always" : reply === "y" ? "once" : "reject")
  })

  const { id } = await sessions.create()
  signal?.addEventListener("abort", () => engine.cancel(id))
  for await (const text of prompts) {
    if (signal?.aborted) return
    const { info } = await engine.prompt(id, { parts: [{ type: "text", text }] })
    const error = info.role === "assistant" ? info.error : undefined
    print(error === undefined ? "\n" : `\nFailed: ${printable(String(error.data?.message ?? error.name))}\n`)
  }
}
