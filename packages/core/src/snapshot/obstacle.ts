import { lstatSync, readdirSync } from "node:fs"
import type { Change } from "./tree-changes.js"

/**
 * The first thing in the worktree that would be lost when files come into being, although no snapshot has it: an
 * ignored file, say, in the place of a file or in a folder that takes the place of one. Git itself would overwrite
 * it.
 */
export function findObstacle(worktree: string, changes: readonly Change[]): string | undefined {
  const names = (status: Change["status"]) =>
    changes.filter((change) => change.status === status).map(({ name }) => name)
  const leaving = new Set(names("deleted").map(caseless))
  for (const name of names("added")) {
    const obstacle = obstacleTo(name, worktree, leaving)
    if (obstacle !== undefined) return Buffer.from(obstacle, "latin1").toString()
  }
  return undefined
}

function obstacleTo(name: string, worktree: string, leaving: ReadonlySet<string>): string | undefined {
  const segments = name.split("/")
  for (let length = 1; length <= segments.length; length++) {
    const path = segments.slice(0, length).join("/")
    const found = lstatSync(onDisk(worktree, path), { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (!found.isDirectory()) return leaving.has(caseless(path)) ? undefined : path
  }
  return stayingIn(name, worktree, leaving)
}

function stayingIn(folder: string, worktree: string, leaving: ReadonlySet<string>): string | undefined {
  const entries = readdirSync(onDisk(worktree, folder), { withFileTypes: true, encoding: "latin1" })
  for (const entry of entries) {
    const path = `${folder}/${entry.name}`
    if (!entry.isDirectory() && !leaving.has(caseless(path))) return path
    const staying = entry.isDirectory() ? stayingIn(path, worktree, leaving) : undefined
    if (staying !== undefined) return staying
  }
  return undefined
}

/** Names are bytes, one per letter. */
function onDisk(worktree: string, name: string): Buffer {
  return Buffer.concat([Buffer.from(`${worktree}/`), Buffer.from(name, "latin1")])
}

// Where letter case does not count, a file that only changes its case finds itself in its place.
function caseless(name: string): string {
  return name.toLowerCase()
}
