import type { Dirent } from "node:fs"
import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { identifyProject } from "@sessile/core/project"
import { type Key, StorageError } from "@sessile/core/storage"
import { hasCode, storageFault } from "../storage-fault.js"
import { field, isObject, type JsonObject, parseObject } from "./json-object.js"
import { splitMessage } from "./legacy-message.js"
import { type LegacyRecord, legacyRecords, readLegacy } from "./legacy-record.js"
import type { MigratedProject } from "./migration-report.js"
import { recordText } from "./record-text.js"

/**
 * The project of sessions without a repository. opencode shows them wherever it runs outside of one, and when it runs again
 * in the folder where such a session was at work, and that is a repository by then, it makes the session part of it.
 */
const GLOBAL = "global"

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
  /** Whether several projects have it: the first one is as good as any. */
  readonly isShared?: boolean
}

/**
 * Everything in the folder of the legacy layout, project by project. Messages and parts stay as they are, damaged
 * ones too, but for messages with their parts inside, as releases before 0.4 wrote them: these become message and parts.
 * Sessions gain the project id and the directory that the current layout expects of them.
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

  const places = sessionPlaces(found)
  const project = await identify(folder, places)
  const sessions: JsonObject[] = []
  const records: VersionOneRecord[] = []
  for (const record of found) {
    const copy = { key: newKey(record, project), session: record.session, source: record.path }
    const session = record.kind === "session" ? readObject(record.path) : undefined
    if (record.kind === "message") records.push(...messageRecords(record, copy))
    else if (record.kind === "part") records.push(copy)
    else if (session === undefined) records.push({ ...copy, remark: "damaged; copied as it is" })
    else {
      const directory = places.get(record.session)?.cwd ?? project.worktree
      records.push({ ...copy, text: recordText(inProject(session, project.id, directory)) })
      sessions.push(session)
    }
  }
  const text = recordText(projectRecord(project, sessions))
  const owner = { key: ["project", project.id], source: path, text, isShared: project.id === GLOBAL }
  return { project, records: [...records, owner], others }
}

/** A message as it is, or with its parts as records of their own where they are inside. */
function messageRecords(
  { path, session, message }: LegacyRecord & { kind: "message" },
  copy: VersionOneRecord,
): VersionOneRecord[] {
  const content = readIfValid(path)
  const split = content && splitMessage(content, { session, message })
  if (split === undefined) return [copy]
  const remark = split.remark === undefined ? {} : { remark: split.remark }
  const parts = split.parts.map(({ id, text }) => ({ ...copy, key: ["part", message, id], text }))
  return [{ ...copy, ...remark, text: split.message }, ...parts]
}

function newKey(record: LegacyRecord, project: MigratedProject): Key {
  if (record.kind === "session") return ["session", project.id, record.session]
  if (record.kind === "message") return ["message", record.session, record.message]
  return ["part", record.message, record.part]
}

async function identify(folder: string, places: ReadonlyMap<string, Place>): Promise<MigratedProject> {
  if (folder === GLOBAL) return { folder, id: GLOBAL, worktree: "/" }
  const worktree = [...places.values()].find((place) => place.root !== undefined)?.root
  if (worktree === undefined) {
    return { folder, id: GLOBAL, worktree: "/", unidentified: "no message names its worktree" }
  }
  const identity = await identifyProject(worktree)
  if ("id" in identity) return { folder, id: identity.id, worktree }
  return { folder, id: GLOBAL, worktree, unidentified: `${worktree}: ${identity.unknown}` }
}

function projectRecord(project: MigratedProject, sessions: readonly JsonObject[]): JsonObject {
  const created = sessions
    .map((session) => field(session, "time", "created"))
    .filter((time) => typeof time === "number")
  const place = project.id === GLOBAL ? { worktree: "/" } : { worktree: project.worktree, vcs: "git" }
  return {
    id: project.id,
    ...place,
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

function sessionPlaces(records: readonly LegacyRecord[]): Map<string, Place> {
  const places = new Map<string, Place>()
  for (const record of records) {
    if (record.kind !== "message") continue
    const known = places.get(record.session) ?? {}
    if (known.cwd !== undefined && known.root !== undefined) continue
    const message = readObject(record.path)
    // Up to 0.1 all but the text was in the metadata.
    const assistant = field(message, "metadata", "assistant")
    const source = isObject(assistant) ? assistant : message
    const cwd = field(source, "path", "cwd")
    const root = field(source, "path", "root")
    places.set(record.session, {
      ...(typeof cwd === "string" ? { cwd } : {}),
      ...(typeof root === "string" ? { root } : {}),
      ...known,
    })
  }
  return places
}

function readObject(path: string): JsonObject | undefined {
  const content = readIfValid(path)
  return content && parseObject(content)
}

// What cannot be read says nothing here; reading the record reports why.
function readIfValid(path: string): Buffer | undefined {
  try {
    return readLegacy(path)
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
