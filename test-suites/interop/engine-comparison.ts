import type { ExportedMessage, ExportedRecord, ExportedSession } from "./exported-session.js"

type Fields = Readonly<Record<string, unknown>>

/**
 * Sessions with all that two programs must have in common. Left out are times (but not whether there is one), the
 * words of prompts, and what tools give: those are not the same ones. Ids become numbers, in the order of their use.
 */
export function comparable(sessions: readonly ExportedSession[], worktree: string): unknown {
  const compared = sessions.map(({ info, messages }) => ({
    info: comparableSession(info),
    messages: messages.map((message) => ({
      info: comparableMessage(message.info),
      parts: message.parts.map(comparablePart),
    })),
  }))
  const text = JSON.stringify(compared, (key, value) => (key === "time" ? Object.keys(value).sort() : value))
  return JSON.parse(numberIDs(text.replaceAll(worktree, "/worktree")))
}

/** A line for each message, to see at a glance what happened. */
export function outline(sessions: readonly ExportedSession[]): string[] {
  return sessions.flatMap(({ messages }) => messages.map(outlineOf))
}

function outlineOf({ info, parts }: ExportedMessage): string {
  const { title = "untitled" } = (info.summary ?? {}) as { title?: string }
  const { name = "unfinished" } = (info.error ?? {}) as { name?: string }
  const kind = info.role === "user" ? `asked "${title}"` : `${info.agent} ${info.finish ?? name}`
  return `${kind}: ${parts.map(kindOf).join(", ")}`
}

function kindOf({ type, tool, state, synthetic }: ExportedRecord): string {
  if (type === "tool") return `${tool} ${(state as { status: string }).status}`
  return synthetic ? `synthetic ${type}` : String(type)
}

// Without changes opencode stores totals of nothing, the engine none.
function comparableSession(info: ExportedRecord): Fields {
  const { files } = (info.summary ?? {}) as { files?: number }
  return omit(info, ["slug", "version", "time", ...(files ? [] : ["summary"])])
}

// The headers tell the time.
function comparableMessage({ error, ...info }: ExportedRecord): Fields {
  if (error === undefined) return info
  const { name, data } = error as { name: string; data: Fields }
  return { ...info, error: { name, data: omit(data, ["responseHeaders"]) } }
}

function comparablePart({ state, callID, ...part }: ExportedRecord): Fields {
  if (part.synthetic) return omit(part, ["text"])
  if (part.type !== "tool") return part
  const { metadata, ...rest } = state as { metadata?: { sessionId?: unknown; model?: unknown } }
  const task = { session: metadata?.sessionId, model: metadata?.model }
  // Calls that no model made have ids that the programs made.
  const made = String(callID).startsWith("call_") ? { callID } : {}
  return { ...part, ...made, state: { ...omit(rest, ["output", "error"]), task } }
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

function numberIDs(text: string): string {
  const numbers = new Map<string, number>()
  return text.replaceAll(/\b(ses|msg|prt)_\w{26}\b/g, (id, prefix) => {
    const number = numbers.get(id) ?? numbers.size + 1
    numbers.set(id, number)
    return `${prefix}_${number}`
  })
}
