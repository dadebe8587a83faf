import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { dirname, join } from "node:path"
import type { Key } from "../storage/key.js"
import type { Operation, Storage } from "../storage/storage.js"
import { StorageError } from "../storage/storage-error.js"
import { type DiscoveredProject, GLOBAL_PROJECT } from "./discover-project.js"
import { isInside } from "./path.js"

/**
 * Moves the sessions of `global` that were held in a project's worktree to that project, as happens when a folder
 * becomes a repository. Everything else in them stays, and so do the sessions of other folders, also those in a
 * repository further inside. Gives the ids of the sessions that moved.
 *
 * The move is one batch, in which each session is written to its new place before it leaves the old one: where
 * the batch is not atomic a failure leaves each session in one place or in both, and the next call finishes.
 */
export async function adoptSessions(storage: Storage, project: DiscoveredProject): Promise<string[]> {
  const adopted: string[] = []
  const operations: Operation[] = []
  // What cannot be read says nothing about its folder, and stays where it is.
  const sessions = storage.scan<unknown>(["session", GLOBAL_PROJECT], { onCorrupt: () => undefined })
  for await (const { key, value } of sessions) {
    const sessionID = key[2]
    if (sessionID === undefined || key.length !== 3 || !hasDirectory(value)) continue
    if (!(await isHeldIn(project, value.directory))) continue
    const place = ["session", project.id, sessionID]
    if (!(await hasAsNew(storage, place, value))) {
      operations.push({ type: "write", key: place, value: { ...value, projectID: project.id } })
    }
    operations.push({ type: "remove", key })
    adopted.push(sessionID)
  }
  if (operations.length > 0) await storage.batch(operations)
  return adopted
}

interface GlobalSession {
  readonly directory: string
  readonly time?: { readonly updated?: unknown }
}

function hasDirectory(value: unknown): value is GlobalSession {
  return (
    typeof value === "object" && value !== null && "directory" in value && typeof value.directory === "string"
  )
}

async function isHeldIn({ worktree, root }: DiscoveredProject, directory: string): Promise<boolean> {
  // Sessions keep the path that was given, git gives the one without symbolic links.
  const real = existsSync(directory) ? await realpath(directory) : directory
  const home = [root, worktree].find((folder) => isInside(folder, real))
  return home !== undefined && !hasRepositoryBelow(home, real)
}

function hasRepositoryBelow(home: string, directory: string): boolean {
  for (let folder = directory; isInside(home, folder) && !isInside(folder, home); folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return true
  }
  return false
}

/** Whether an interrupted move has already brought the session there, and nobody has used the old one since. */
async function hasAsNew(storage: Storage, place: Key, session: GlobalSession): Promise<boolean> {
  try {
    return updated(await storage.read<GlobalSession>(place)) >= updated(session)
  } catch (error) {
    if (StorageError.is(error, "NOT_FOUND")) return false
    throw error
  }
}

function updated(session: GlobalSession): number {
  return Number(session.time?.updated ?? 0)
}
