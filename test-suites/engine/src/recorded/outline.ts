import type { Message, Part } from "@sessile/core/model"
import { Sessions } from "@sessile/core/session"
import type { Storage } from "@sessile/core/storage"
import { gather } from "@sessile/sessions-suite/stores"
import { project } from "../open-engine.js"

/** The sessions of a store with their messages, a line for each: who speaks, how it ended, and in which parts. */
export async function outline(storage: Storage): Promise<string> {
  const sessions = new Sessions({ storage, project })
  const lines: string[] = []
  for (const { id, title } of await gather(sessions.list())) {
    lines.push(title)
    for (const { info, parts } of await sessions.messages.load(id)) {
      lines.push(`  ${speaker(info)}: ${parts.map(kind).join(", ") || "nothing"}`)
    }
  }
  return `${lines.join("\n")}\n`
}

function speaker(message: Message): string {
  if (message.role === "user") return `user to ${message.agent}`
  const { agent, finish = "unfinished", error, summary } = message
  return [agent, summary ? "sums up" : "", finish, error?.name ?? ""].filter(Boolean).join(" ")
}

function kind(part: Part): string {
  return part.type === "tool" ? `${part.tool} ${part.state.status}` : part.type
}
