import { decodeKey, isTextStorage, parseText, type Storage, type TextStorage } from "@sessile/core/storage"
import { storeKind } from "../stores/store-kinds.js"
import { findRemoved, type RemovedRecords } from "./removed-records.js"
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

/** What is in the JSON files and in the database. */
export interface ComparedSessions {
  readonly projects: readonly ProjectSessions[]
  readonly removed: readonly RemovedRecords[]
}

/** A session as its record describes it. */
export interface FoundSession extends MissingSession {
  readonly project: string
}

/** Finds out which sessions are in the JSON files, in the database, and in both. A session is the same by its id. */
export async function compareSessions({ source, target }: RescuePlaces): Promise<ComparedSessions> {
  await using json = asTexts(await storeKind(source.kind).openForReading(source.path))
  const preview = await storeKind(target.kind).preview?.(target.path)
  if (preview === undefined) throw new Error(`A store of kind ${target.kind} cannot be looked at`)
  await using database = asTexts(preview.storage)
  const stranded = await sessionsOf(json)
  const present = await sessionsOf(database)
  const worktrees = new Map([...(await worktreesOf(json)), ...(await worktreesOf(database))])
  const byProject = new Map<string, { missing: FoundSession[]; both: number; databaseOnly: number }>()
  const at = (project: string) => {
    const counted = byProject.get(project) ?? { missing: [], both: 0, databaseOnly: 0 }
    byProject.set(project, counted)
    return counted
  }
  const continued: FoundSession[] = []
  for (const session of stranded.values()) {
    const there = present.get(session.id)
    if (there === undefined) at(session.project).missing.push(session)
    else at(there.project).both++
    if (there !== undefined && isLater(there, session)) continued.push(session)
  }
  for (const { id, project } of present.values()) if (!stranded.has(id)) at(project).databaseOnly++
  const projects = [...byProject]
    .map(([id, { missing, ...counts }]) => ({
      id,
      worktree: worktrees.get(id) ?? null,
      missing: missing
        .sort((a, b) => (b.updated ?? 0) - (a.updated ?? 0))
        .map(({ project, ...session }) => session),
      ...counts,
    }))
    .sort((a, b) => b.missing.length - a.missing.length)
  return { projects, removed: await findRemoved(continued, json, database) }
}

function isLater(session: FoundSession, other: FoundSession): boolean {
  return session.updated !== null && other.updated !== null && session.updated > other.updated
}

function asTexts(storage: Storage): TextStorage {
  if (isTextStorage(storage)) return storage
  throw new TypeError("Only a text storage gives what cannot be read")
}

async function sessionsOf(storage: TextStorage): Promise<Map<string, FoundSession>> {
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

async function worktreesOf(storage: TextStorage): Promise<Map<string, string>> {
  const worktrees = new Map<string, string>()
  for await (const { key, value } of records(storage, "project")) {
    const { worktree } = value as { worktree?: unknown }
    if (typeof worktree === "string" && worktree !== "") worktrees.set(key[1] ?? "", worktree)
  }
  return worktrees
}

/** The records of a kind, with an empty value for what cannot be read: it is there all the same. */
async function* records(
  storage: TextStorage,
  kind: string,
): AsyncGenerator<{ key: readonly string[]; value: object }, void, void> {
  for await (const page of storage.scanTexts({ prefixes: [[kind]] })) {
    for (const entry of page) {
      const parsed = "text" in entry ? parseText(entry.text) : { flaw: entry.error.message }
      const value = "value" in parsed ? parsed.value : undefined
      yield { key: decodeKey(entry.key), value: typeof value === "object" && value !== null ? value : {} }
    }
  }
}
