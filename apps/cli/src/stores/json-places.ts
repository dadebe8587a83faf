import { readdir, stat } from "node:fs/promises"
import { join } from "node:path"

/** Where the JSON files of a history are. */
export interface JsonPlaces {
  /** The folder `storage` of opencode 0.7 to 1.1. */
  readonly storage?: string | undefined
  /** The folder `project` of earlier releases. */
  readonly legacy?: string | undefined
}

/** What only a `storage` folder holds: a data folder has a `project` too. */
const KINDS = ["session", "message", "part", "session_diff", "todo", "migration", ".sessile"]

/**
 * Finds out whether a folder is opencode's data folder, which may hold the files of two eras, or its `storage`;
 * `undefined` when nothing in it tells.
 */
export async function findJsonPlaces(folder: string): Promise<JsonPlaces | undefined> {
  const names = await namesIn(folder)
  if (KINDS.some((kind) => names.includes(kind))) return { storage: folder }
  const legacy = (await hasLegacyProjects(join(folder, "project"))) ? join(folder, "project") : undefined
  const storage = await storageIn(folder)
  if (legacy !== undefined || storage !== undefined) return { storage, legacy }
  const projects = await namesIn(join(folder, "project"))
  return projects.some((name) => name.endsWith(".json")) ? { storage: folder } : undefined
}

async function storageIn(folder: string): Promise<string | undefined> {
  const storage = join(folder, "storage")
  const names = await namesIn(storage)
  return [...KINDS, "project"].some((kind) => names.includes(kind)) ? storage : undefined
}

async function hasLegacyProjects(folder: string): Promise<boolean> {
  for (const name of await namesIn(folder)) {
    if (await isFolder(join(folder, name, "storage", "session"))) return true
  }
  return false
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isAbsence(error)) return []
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isAbsence(error)) return false
    throw error
  }
}

function isAbsence(error: unknown): boolean {
  return ["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")
}
