import { readdir } from "node:fs/promises"
import { join } from "node:path"
import { identifyProject } from "@sessile/core/project"
import { hasCode, storageFault } from "../storage-fault.js"
import { field, type JsonObject, parseObject } from "./json-object.js"
import { type LegacyRecord, legacyRecords, readLegacy } from "./legacy-record.js"
import type { MigratedProject } from "./migration-report.js"
import { type RecordSink, recordText } from "./record-sink.js"

/**
 * From version 0 to 1: copies every project of the legacy layout into the store. Messages and parts are copied
 * byte for byte, damaged ones too; sessions gain the project id and the directory that the new layout expects
 * of them. The legacy files stay as they are.
 */
export async function fromLegacyLayout(sink: RecordSink, legacy: string): Promise<void> {
  for (const folder of await foldersIn(legacy)) await migrateProject(sink, folder, join(legacy, folder))
}

async function migrateProject(sink: RecordSink, folder: string, path: string): Promise<void> {
  const { records, others } = await legacyRecords(path)
  for (const other of others) sink.remark(other, "not a record; left where it is")
  if (records.length === 0) return

  const places = await sessionPlaces(records)
  const project = await identify(folder, places)
  const sessions: JsonObject[] = []
  for (const record of records) {
    const key = newKey(record, project)
    const content = await readLegacy(record.path)
    if (record.kind !== "session") {
      await sink.add(key, content, record.path)
      continue
    }
    const session = parseObject(content)
    if (session === undefined) {
      sink.remark(record.path, "damaged; copied as it is")
      await sink.add(key, content, record.path)
      continue
    }
    const directory = places.get(record.session)?.cwd ?? project.worktree
    await sink.add(key, recordText(inProject(session, project.id, directory)), record.path)
    sessions.push(session)
  }
  await sink.add(["project", project.id], recordText(projectRecord(project, sessions)), path)
  sink.projects.push(project)
}

function newKey(record: LegacyRecord, project: MigratedProject): string[] {
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
    const message = parseObject(await readLegacy(record.path))
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

async function foldersIn(path: string): Promise<string[]> {
  try {
    const entries = await readdir(path, { withFileTypes: true })
    return entries
      .filter((entry) => entry.isDirectory())
      .map((entry) => entry.name)
      .sort()
  } catch (error) {
    if (hasCode(error, "ENOENT")) return []
    throw storageFault("list the legacy projects", error, path)
  }
}
