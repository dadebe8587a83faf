import { decodeKey, isTextStorage, parseText, type Storage } from "@sessile/core/storage"
import { storeKind } from "../stores/store-kinds.js"
import type { RescuePlaces } from "./rescue-places.js"

/** A session that opencode does not show. */
export interface MissingSession {
  readonly id: string
  readonly title: string | null
  readonly directory: string | null
  /** In milliseconds. */
  readonly updated: number | null
}

/** Where the sessions of a project are. */
export interface ProjectSessions {
  readonly id: string
  readonly worktree: string | null
  /** Those in the JSON files only, the newest first. */
  readonly missing: readonly MissingSession[]
  readonly both: number
  readonly databaseOnly: number
}

/** A session as its record describes it. */
interface FoundSession extends MissingSession {
  readonly project: string
}

/** Finds out which sessions are in the JSON files, in the database, and in both. A session is the same by its id. */
export async function compareSessions({ source, target }: RescuePlaces): Promise<ProjectSessions[]> {
  await using json = await storeKind(source.kind).openForReading(source.path)
  const preview = await storeKind(target.kind).preview?.(target.path)
  if (preview === undefined) throw new Error(`A store of kind ${target.kind} cannot be looked at`)
  await using database = preview.storage
  const stranded = await sessionsOf(json)
  const present = await sessionsOf(database)
  const worktrees = new Map([...(await worktreesOf(json)), ...(await worktreesOf(database))])
  const byProject = new Map<string, { missing: FoundSession[]; both: number; databaseOnly: number }>()
  const at = (project: string) => {
    const counted = byProject.get(project) ?? { missing: [], both: 0, databaseOnly: 0 }
    byProject.set(project, counted)
    return counted
  }
  for (const session of stranded.values()) {
    const there = present.get(session.id)
    if (there === undefined) at(session.project).missing.push(session)
    else at(there.project).both++
  }
  for (const { id, project } of present.values()) if (!stranded.has(id)) at(project).databaseOnly++
  return [...byProject]
    .map(([id, { missing, ...counts }]) => ({
      id,
      worktree: worktrees.get(id) ?? null,
      missing: missing
        .sort((a, b) => (b.updated ?? 0) - (a.updated ?? 0))
        .map(({ project, ...session }) => session),
      ...counts,
    }))
    .sort((a, b) => b.missing.length - a.missing.length)
}

async function sessionsOf(storage: Storage): Promise<Map<string, FoundSession>> {
  const sessions = new Map<string, FoundSession>()
  for await (const { key, value } of records(storage, "session")) {
    const [, project = "", id = ""] = key
    const { title, directory, time } = value as { title?: unknown; directory?: unknown; time?: unknown }
    const { updated } = (time ?? {}) as { updated?: unknown }
    sessions.set(id, {
      id,
      project,
      title: typeof title === "string" ? title : null,
      directory: typeof directory === "string" ? directory : null,
      updated: typeof updated === "number" ? updated : null,
    })
  }
  return sessions
}

async function worktreesOf(storage: Storage): Promise<Map<string, string>> {
  const worktrees = new Map<string, string>()
  for await (const { key, value } of records(storage, "project")) {
    const { worktree } = value as { worktree?: unknown }
    if (typeof worktree === "string" && worktree !== "") worktrees.set(key[1] ?? "", worktree)
  }
  return worktrees
}

/** The records of a kind, with an empty value for what cannot be read: it is there all the same. */
async function* records(
  storage: Storage,
  kind: string,
): AsyncGenerator<{ key: readonly string[]; value: object }, void, void> {
  if (!isTextStorage(storage)) throw new TypeError("Only a text storage gives what cannot be read")
  for await (const page of storage.scanTexts({ prefixes: [[kind]] })) {
    for (const entry of page) {
      const parsed = "text" in entry ? parseText(entry.text) : { flaw: entry.error.message }
      const value = "value" in parsed ? parsed.value : undefined
      yield { key: decodeKey(entry.key), value: typeof value === "object" && value !== null ? value : {} }
    }
  }
}
