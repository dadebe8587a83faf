import { decodeKey, parseText, type TextStorage } from "@sessile/core/storage"

/** A session as its record describes it; `null` for what it does not say. */
export interface StoredSession {
  readonly id: string
  readonly project: string
  readonly title: string | null
  readonly directory: string | null
  /** Both in milliseconds. */
  readonly created: number | null
  readonly updated: number | null
  /** The session whose subagent it belongs to. */
  readonly parent: string | null
  readonly isReadable: boolean
}

/** A project as its record describes it. */
export interface StoredProject {
  readonly worktree: string | undefined
  /** In milliseconds. */
  readonly created: number | undefined
}

/** The sessions of a store, by id. */
export async function storedSessions(storage: TextStorage): Promise<Map<string, StoredSession>> {
  const sessions = new Map<string, StoredSession>()
  for await (const { key, value } of records(storage, "session")) {
    const [, project = "", id = ""] = key
    const { title, directory, parentID, time } = value ?? {}
    const { created, updated } = asObject(time) ?? {}
    sessions.set(id, {
      id,
      project,
      title: typeof title === "string" ? title : null,
      directory: typeof directory === "string" ? directory : null,
      created: typeof created === "number" ? created : null,
      updated: typeof updated === "number" ? updated : null,
      parent: typeof parentID === "string" ? parentID : null,
      isReadable: value !== undefined,
    })
  }
  return sessions
}

/** The projects of a store, by id. */
export async function storedProjects(storage: TextStorage): Promise<Map<string, StoredProject>> {
  const projects = new Map<string, StoredProject>()
  for await (const { key, value } of records(storage, "project")) {
    const { worktree, time } = value ?? {}
    const { created } = asObject(time) ?? {}
    projects.set(key[1] ?? "", {
      worktree: typeof worktree === "string" && worktree !== "" ? worktree : undefined,
      created: typeof created === "number" ? created : undefined,
    })
  }
  return projects
}

type JsonObject = Readonly<Record<string, unknown>>

/** The records of a kind, without a value for what cannot be read. */
async function* records(
  storage: TextStorage,
  kind: string,
): AsyncGenerator<{ key: readonly string[]; value: JsonObject | undefined }, void, void> {
  for await (const page of storage.scanTexts({ prefixes: [[kind]] })) {
    for (const entry of page) {
      const parsed = "text" in entry ? parseText(entry.text) : undefined
      const value = parsed !== undefined && "value" in parsed ? asObject(parsed.value) : undefined
      yield { key: decodeKey(entry.key), value }
    }
  }
}

function asObject(value: unknown): JsonObject | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as JsonObject)
    : undefined
}
