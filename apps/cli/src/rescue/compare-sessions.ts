import { encodeKey, isTextStorage, type Storage, type TextStorage } from "@sessile/core/storage"
import { OpencodeStorage } from "@sessile/opencode-db"
import { sessionIds } from "../stores/combined-storage.js"
import { findJsonPlaces } from "../stores/json-places.js"
import type { StoreAddress } from "../stores/store-address.js"
import { storeKind } from "../stores/store-kinds.js"
import { findDeleted, type StoredHistory } from "./deleted-sessions.js"
import { findRemoved, type RemovedRecords } from "./removed-records.js"
import type { RescuePlaces } from "./rescue-places.js"
import { sessionKeys } from "./session-keys.js"
import { type StoredSession, storedProjects, storedSessions } from "./stored-sessions.js"

/** The sessions of a project, by where they are. */
export interface ProjectSessions {
  readonly id: string
  readonly worktree: string | null
  /** Those in the JSON files only, the newest first. */
  readonly missing: readonly StoredSession[]
  /** Those in the JSON files only because they were deleted in opencode, the newest first. */
  readonly deleted: readonly StoredSession[]
  readonly both: number
  readonly databaseOnly: number
}

/** What is in the JSON files and in the database. */
export interface ComparedSessions {
  readonly projects: readonly ProjectSessions[]
  /** What opencode removed from sessions that it went on with. */
  readonly removed: readonly RemovedRecords[]
  /** The encoded keys of all that was deleted in opencode. */
  readonly deletedKeys: ReadonlySet<string>
  /** The sessions that are in both, with the times of the database. */
  readonly both: readonly StoredSession[]
  /** The time of the latest change to a session in the database, in milliseconds. */
  readonly lastUse: number
  /** What is wrong with the database as a whole, so that sessions may only seem to be missing. */
  readonly damage: readonly string[]
}

/** Which of the deleted sessions to bring in. */
export interface SessionChoice {
  /** Those that are named, with their children. */
  readonly session?: readonly string[]
  /** Also what was deleted in opencode. */
  readonly includeDeleted?: boolean
}

/**
 * Finds the sessions that are in the JSON files, in the database, and in both. A session is the same by its id.
 *
 * @param rescued the sessions that the database had after an earlier rescue
 */
export async function compareSessions(
  { source, target }: RescuePlaces,
  choice: SessionChoice,
  rescued: readonly string[],
): Promise<ComparedSessions> {
  const preview = await storeKind(target.kind).preview?.(target.path)
  if (preview === undefined) throw new Error(`There is no preview of a store of kind ${target.kind}`)
  await using databaseStorage = asTexts(preview.storage)
  await using jsonStorage = asTexts(await storeKind(source.kind).openForReading(source.path))
  const [json, database, damage] = await Promise.all([
    historyOf(jsonStorage),
    historyOf(databaseStorage),
    databaseStorage.check(),
  ])
  const importedAt =
    preview.storage instanceof OpencodeStorage ? preview.storage.schema.importedAt : undefined
  const importable = await importableSessions(source, json)
  const isImportable = (id: string) => importable.has(id)
  const deletedIds = await findDeleted(json, database, { importedAt, isImportable, rescued })
  const isWanted = (id: string) => choice.includeDeleted || isChosen(id, choice.session ?? [], json)
  const deleted = [...json.sessions.values()].filter(({ id }) => deletedIds.has(id) && !isWanted(id))
  const continued = [...json.sessions.values()].filter(
    (session) => isLater(database.sessions.get(session.id), session) && !isWanted(session.id),
  )
  const removed = await findRemoved(continued, jsonStorage, databaseStorage)
  const keys = removed.flatMap((records) => records.keys)
  for (const session of deleted) keys.push(...(await sessionKeys(jsonStorage, session)))
  const present = [...database.sessions.values()]
  return {
    projects: byProject(json, database, new Set(deleted)),
    removed,
    deletedKeys: new Set(keys.map(encodeKey)),
    both: present.filter(({ id }) => json.sessions.has(id)),
    lastUse: present.reduce((latest, { updated }) => Math.max(latest, updated ?? 0), 0),
    damage,
  }
}

async function historyOf(storage: TextStorage): Promise<StoredHistory> {
  return { storage, sessions: await storedSessions(storage), projects: await storedProjects(storage) }
}

/** The sessions in the layout of 0.7 and later: opencode's importer reads no other. */
async function importableSessions(source: StoreAddress, json: StoredHistory): Promise<ReadonlySet<string>> {
  const { storage, legacy } = (await findJsonPlaces(source.path)) ?? {}
  if (storage === undefined) return new Set()
  if (legacy === undefined) return new Set(json.sessions.keys())
  await using current = asTexts(await storeKind(source.kind).openForReading(storage))
  return await sessionIds(current)
}

/** Whether a session was named, or one whose subagents it is part of. */
function isChosen(id: string, chosen: readonly string[], { sessions }: StoredHistory): boolean {
  const seen = new Set<string>()
  for (let current: string | null = id; current !== null; current = sessions.get(current)?.parent ?? null) {
    if (chosen.includes(current)) return true
    if (seen.has(current)) return false
    seen.add(current)
  }
  return false
}

function isLater(session: StoredSession | undefined, other: StoredSession): boolean {
  return (session?.updated ?? 0) > (other.updated ?? Number.POSITIVE_INFINITY)
}

function byProject(
  json: StoredHistory,
  database: StoredHistory,
  deleted: ReadonlySet<StoredSession>,
): ProjectSessions[] {
  const counted = new Map<
    string,
    { missing: StoredSession[]; deleted: StoredSession[]; both: number; databaseOnly: number }
  >()
  const at = (project: string) => {
    const counts = counted.get(project) ?? { missing: [], deleted: [], both: 0, databaseOnly: 0 }
    counted.set(project, counts)
    return counts
  }
  for (const session of json.sessions.values()) {
    const there = database.sessions.get(session.id)
    if (there !== undefined) at(there.project).both++
    else at(session.project)[deleted.has(session) ? "deleted" : "missing"].push(session)
  }
  for (const { id, project } of database.sessions.values()) {
    if (!json.sessions.has(id)) at(project).databaseOnly++
  }
  const newestFirst = (a: StoredSession, b: StoredSession) => (b.updated ?? 0) - (a.updated ?? 0)
  return [...counted]
    .map(([id, counts]) => ({
      ...counts,
      id,
      worktree: (database.projects.get(id) ?? json.projects.get(id))?.worktree ?? null,
      missing: counts.missing.sort(newestFirst),
      deleted: counts.deleted.sort(newestFirst),
    }))
    .sort((a, b) => b.missing.length - a.missing.length)
}

function asTexts(storage: Storage): TextStorage {
  if (isTextStorage(storage)) return storage
  throw new TypeError("Only a text storage gives what cannot be read")
}
