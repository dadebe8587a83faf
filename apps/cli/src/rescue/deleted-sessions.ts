import { encodeKey, type TextStorage } from "@sessile/core/storage"
import type { StoredProject, StoredSession } from "./stored-sessions.js"

/** What the JSON files or the database hold. */
export interface StoredHistory {
  readonly storage: TextStorage
  readonly sessions: ReadonlyMap<string, StoredSession>
  readonly projects: ReadonlyMap<string, StoredProject>
}

/** What is known of earlier imports of JSON files into the database. */
export interface ImportEvidence {
  /** When opencode's own importer ran, in milliseconds. */
  readonly importedAt: number | undefined
  /** Whether a session is in files of the layout that the importer reads. */
  readonly isImportable: (session: string) => boolean
  /** The sessions that the database had after an earlier rescue. */
  readonly rescued: readonly string[]
}

/**
 * Finds the sessions that are in the JSON files only because they were deleted in opencode: the database had them before.
 * That is known of
 * - sessions that an earlier rescue left in the database. The database counts as another one, such as a restored
 *   backup, when it has none of them.
 * - sessions that opencode's own importer has read: they were last used before it ran, and belong to a project that it
 *   imported from these files. This is no evidence where the importer demonstrably lost something.
 */
export async function findDeleted(
  json: StoredHistory,
  database: StoredHistory,
  { importedAt, isImportable, rescued }: ImportEvidence,
): Promise<Set<string>> {
  const isSameDatabase = rescued.some((id) => database.sessions.has(id))
  const known = new Set(isSameDatabase ? rescued : [])
  const absent = [...json.sessions.values()].filter(({ id }) => !database.sessions.has(id))
  const deleted = new Set(absent.map(({ id }) => id).filter((id) => known.has(id)))
  if (importedAt === undefined) return deleted
  const isImported = importedProjects(json, database)
  const read = absent.filter(
    ({ id, project, updated }) =>
      updated !== null && updated <= importedAt && isImported(project) && isImportable(id),
  )
  if (read.length > 0 && (await isWhole(json, database))) for (const { id } of read) deleted.add(id)
  return deleted
}

/** A project that opencode made by itself has a time of its own. */
function importedProjects(json: StoredHistory, database: StoredHistory): (project: string) => boolean {
  const withSessions = new Set<string>()
  for (const { id, project } of json.sessions.values()) {
    if (database.sessions.get(id)?.project === project) withSessions.add(project)
  }
  return (project) => {
    const created = json.projects.get(project)?.created
    const isSame = created !== undefined && created === database.projects.get(project)?.created
    return isSame || (withSessions.has(project) && json.projects.has(project))
  }
}

/** Whether the importer got to its end: one invalid session lost a thousand others, and a kill all messages. */
async function isWhole(json: StoredHistory, database: StoredHistory): Promise<boolean> {
  for (const session of json.sessions.values()) {
    if (!session.isReadable) return false
    const imported = database.sessions.get(session.id)
    if (imported === undefined || imported.updated !== session.updated) continue
    const messages = ["message", session.id]
    const present = new Set((await database.storage.list(messages)).map(encodeKey))
    const keys = await json.storage.list(messages)
    if (keys.some((key) => !present.has(encodeKey(key)))) return false
  }
  return true
}
