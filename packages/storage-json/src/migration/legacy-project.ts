import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { identifyProject } from "@sessile/core/project"
import { type Key, StorageError } from "@sessile/core/storage"
import { hasCode, storageFault } from "../storage-fault.js"
import { field, type JsonObject, parseObject } from "./json-object.js"
import { type LegacyRecord, legacyRecords, readLegacy } from "./legacy-record.js"
import type { MigratedProject } from "./migration-report.js"
import { recordText } from "./record-text.js"

/** A project of the legacy layout as it is in version 1 of the current one. */
export interface LegacyProject {
  /** Missing when the folder holds no record. */
  readonly project?: MigratedProject
  readonly records: readonly VersionOneRecord[]
  /** The paths of what is no record. */
  readonly others: readonly string[]
}

/** A record under its key in the current layout. */
export interface VersionOneRecord {
  readonly key: Key
  /** The session that it belongs to; projects belong to none. */
  readonly session?: string
  readonly source: string
  /** Its text, unless that is to be what the source holds. */
  readonly text?: string
  readonly remark?: string
}

/**
 * Everything in the folder of the legacy layout, project by project. Messages and parts stay as they are, damaged
 * ones too; sessions gain the project id and the directory that the current layout expects of them.
 */
export async function* legacyProjects(legacy: string): AsyncGenerator<LegacyProject, void, void> {
  for (const entry of await entriesOf(legacy)) {
    const path = join(legacy, entry.name)
    if (entry.isDirectory()) yield await convert(entry.name, path)
    else yield { records: [], others: [path] }
  }
}

async function convert(folder: string, path: string): Promise<LegacyProject> {
  const { records: found, others } = await legacyRecords(path)
  if (found.length === 0) return { records: [], others }

  const places = await sessionPlaces(found)
  const project = await identify(folder, places)
  const sessions: JsonObject[] = []
  const records: VersionOneRecord[] = []
  for (const record of found) {
    const copy = { key: newKey(record, project), session: record.session, source: record.path }
    const session = record.kind === "session" ? await readObject(record.path) : undefined
    if (record.kind !== "session") records.push(copy)
    else if (session === undefined) records.push({ ...copy, remark: "damaged; copied as it is" })
    else {
      const directory = places.get(record.session)?.cwd ?? project.worktree
      records.push({ ...copy, text: recordText(inProject(session, project.id, directory)) })
      sessions.push(session)
    }
  }
  const text = recordText(projectRecord(project, sessions))
  return { project, records: [...records, { key: ["project", project.id], source: path, text }], others }
}

function newKey(record: LegacyRecord, project: MigratedProject): Key {
  if (record.kind === "session") return ["session", project.id, record.session]
  if (record.kind === "message") return ["message", record.session, record.message]
  return ["part", record.message, record.part]
}

async function identify(folder: string, places: ReadonlyMap<string, Place>): Promise<MigratedProject> {
  if (folder === "global") return { folder, id: "global", worktree: "/" }
  const worktree = [...places.values()].find((place) => place.root !== undefined)?.root
  if (worktree === undefined) {
    return { folder, id: folder, worktree: "/", unidentified: "no message names its worktree" }
  }
  const identity = await identifyProject(worktree)
  if ("id" in identity) return { folder, id: identity.id, worktree }
  return { folder, id: folder, worktree, unidentified: `${worktree}: ${identity.unknown}` }
}

function projectRecord(project: MigratedProject, sessions: readonly JsonObject[]): JsonObject {
  const created = sessions
    .map((session) => field(session, "time", "created"))
    .filter((time) => typeof time === "number")
  const vcs = project.id === "global" || project.unidentified ? {} : { vcs: "git" }
  return {
    id: project.id,
    worktree: project.worktree,
    ...vcs,
    time: { created: created.length > 0 ? Math.min(...created) : 0 },
  }
}

/** The session with the two fields where opencode writes them; those that it has already stay. */
function inProject(session: JsonObject, projectID: string, directory: string): JsonObject {
  const { id, version, ...rest } = session
  return { id, version, projectID, directory, ...rest }
}

/** Where a session was at work, as far as its messages tell. */
interface Place {
  cwd?: string
  root?: string
}

async function sessionPlaces(records: readonly LegacyRecord[]): Promise<Map<string, Place>> {
  const places = new Map<string, Place>()
  for (const record of records) {
    if (record.kind !== "message") continue
    const known = places.get(record.session) ?? {}
    if (known.cwd !== undefined && known.root !== undefined) continue
    const message = await readObject(record.path)
    const cwd = field(message, "path", "cwd")
    const root = field(message, "path", "root")
    places.set(record.session, {
      ...(typeof cwd === "string" ? { cwd } : {}),
      ...(typeof root === "string" ? { root } : {}),
      ...known,
    })
  }
  return places
}

// What cannot be read tells nothing here; whoever wants its content hears why.
async function readObject(path: string): Promise<JsonObject | undefined> {
  try {
    return parseObject(readLegacy(path))
  } catch (error) {
    if (StorageError.is(error)) return undefined
    throw error
  }
}

async function entriesOf(path: string): Promise<Dirent[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    if (hasCode(error, "ENOENT")) return []
    throw storageFault("list the legacy projects", error, path)
  }
}
