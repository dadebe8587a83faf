import { statSync } from "node:fs"
import { join, parse } from "node:path"
import { GitError, GLOBAL_PROJECT, type ListedProjects, listedProjects } from "@sessile/core/project"
import type { ProjectSessions } from "./compare-sessions.js"
import type { StoredSession } from "./stored-sessions.js"

/** A folder in which opencode lists sessions that were brought in. */
export interface ListingFolder {
  readonly folder: string
  /** How many of them it lists there: subagent sessions are not listed. */
  readonly sessions: number
  /** How many sessions its projects have in the database, those included. */
  readonly total: number
  /** What must be noted in the folder first, since opencode would take it for another project. */
  readonly note?: ProjectNote | undefined
}

/** The project that opencode is to take a folder for. */
export interface ProjectNote {
  readonly project: string
  /** The file that holds its id. */
  readonly path: string
  /** Whether there is no repository in the folder. */
  readonly isNewRepository: boolean
}

/** Sessions of a project that opencode lists nowhere. */
export interface UnlistedProject {
  readonly id: string
  readonly sessions: number
  readonly reason: string
}

/** Where opencode lists the sessions that were brought in. */
export interface WhereToSee {
  /** The folder for `global` comes last: starting opencode in the others takes sessions out of it. */
  readonly folders: readonly ListingFolder[]
  readonly unlisted: readonly UnlistedProject[]
}

/** Finds the folders in which opencode 1.18 lists what was brought in. */
export async function whereToSee(projects: readonly ProjectSessions[]): Promise<WhereToSee> {
  const folders = new Map<string, ListingFolder>()
  const unlisted: UnlistedProject[] = []
  const add = (key: string, found: FoundFolder, sessions: number, more: number) => {
    const { sessions: known = 0, total = 0 } = folders.get(key) ?? {}
    folders.set(key, { ...found, sessions: known + sessions, total: total + more })
  }
  const sizes = new Map(projects.map((project) => [project.id, sizeOf(project)]))
  const ofGlobal: StoredSession[] = []
  for (const { id, worktree, missing } of projects) {
    const roots = missing.filter(({ parent }) => parent === null)
    if (id === GLOBAL_PROJECT) ofGlobal.push(...roots)
    if (id === GLOBAL_PROJECT || roots.length === 0) continue
    const candidates = [worktree, ...roots.map(({ directory }) => directory)].filter(isFolderName)
    const place = await findPlace(id, [...new Set(candidates)], sizes)
    const isTaken = place?.found.note !== undefined && folders.has(place.key)
    if (place !== undefined && !isTaken) add(place.key, place.found, roots.length, sizes.get(id) ?? 0)
    else unlisted.push({ id, sessions: roots.length, reason: reasonFor(candidates[0]) })
  }
  let elsewhere = 0
  for (const { directory } of ofGlobal) {
    const { ids, root } = directory === null ? { ids: [] } : await listedIn(directory)
    // opencode adopts what was held in the worktree itself.
    if (directory !== null && root === directory && ids[0] !== GLOBAL_PROJECT)
      add(root, { folder: directory }, 1, 1)
    else elsewhere++
  }
  const total = sizes.get(GLOBAL_PROJECT) ?? 0
  const last = elsewhere === 0 ? [] : [{ folder: await folderOfGlobal(ofGlobal), sessions: elsewhere, total }]
  return { folders: [...folders.values(), ...last], unlisted }
}

type FoundFolder = Omit<ListingFolder, "sessions" | "total">

interface Place {
  /** The worktree, of which several folders may be part. */
  readonly key: string
  readonly found: FoundFolder
}

function sizeOf({ both, databaseOnly, missing }: ProjectSessions): number {
  return both + databaseOnly + missing.length
}

async function findPlace(
  project: string,
  candidates: readonly string[],
  sizes: ReadonlyMap<string, number>,
): Promise<Place | undefined> {
  for (const folder of candidates.filter(isFolder)) {
    const { ids, root } = await listedIn(folder)
    if (ids.includes(project)) return { key: root ?? folder, found: { folder } }
  }
  for (const folder of candidates.filter(isFolder)) {
    const { ids, root, note, hasRemote } = await listedIn(folder)
    // Without a remote the note alone decides: what the folder lists today would vanish from it.
    const isFree = hasRemote || !ids.some((id) => id !== GLOBAL_PROJECT && sizes.has(id))
    if (root === undefined || note === undefined || !isFree) continue
    return { key: root, found: { folder, note: { project, path: note, isNewRepository: false } } }
  }
  const [folder] = candidates
  if (folder === undefined || (await listedIn(folder)).root === folder) return undefined
  const path = join(folder, ".git", "opencode")
  return { key: folder, found: { folder, note: { project, path, isNewRepository: true } } }
}

function reasonFor(folder: string | undefined): string {
  if (folder === undefined) return "the JSON files do not name its folder"
  return `opencode takes ${folder} for another project`
}

/** Every folder outside of repositories lists all sessions of `global`. */
async function folderOfGlobal(sessions: readonly StoredSession[]): Promise<string> {
  for (const { directory } of sessions) {
    if (!isFolderName(directory) || !isFolder(directory)) continue
    if ((await listedIn(directory)).ids.includes(GLOBAL_PROJECT)) return directory
  }
  return parse(process.cwd()).root
}

async function listedIn(folder: string): Promise<ListedProjects> {
  try {
    return await listedProjects(folder)
  } catch (error) {
    // Without git, opencode sees no repositories either.
    if (!GitError.is(error)) throw error
    return { ids: [GLOBAL_PROJECT], hasRemote: false }
  }
}

function isFolderName(path: string | null): path is string {
  return path !== null && path !== "" && path !== "/"
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
