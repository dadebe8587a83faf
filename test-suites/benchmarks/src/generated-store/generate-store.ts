import type { NewProject } from "@sessile/core/model"
import type { RecordCounts } from "./record-files.js"
import { writeSession } from "./session.js"
import { createWorkshop, type Workshop } from "./workshop.js"

/** What a store is made of. */
export interface GenerateStoreOptions {
  /** The folder of the records, made when it is missing: what opencode calls `storage`. */
  readonly path: string
  /** An integer. The same one gives the same bytes. */
  readonly seed: number
  /** How many sessions there are to be, children included; about 90 files go with each. */
  readonly sessions: number
}

/** What was written. */
export interface GeneratedStore {
  readonly counts: Readonly<RecordCounts>
  /** The records and the marker of the layout. */
  readonly files: number
  /** What all files hold together. */
  readonly bytes: number
}

const WORKTREES = ["acme", "shop/api", "shop/web", "notes"] as const

/**
 * Writes a JSON store as opencode 1.1 would have left it after months of use: many short records, outputs of tools
 * of several KB, and a few attachments of more than 100 KB. Ids, times and the relations between the records are
 * as they would be; the texts mean nothing.
 *
 * @example
 * ```ts
 * const { files } = generateStore({ path: join(folder, "storage"), seed: 1, sessions: 100 })
 * ```
 */
export function generateStore({ path, seed, sessions }: GenerateStoreOptions): GeneratedStore {
  const workshop = createWorkshop(path, seed)
  const { random, clock, files } = workshop
  const projects = WORKTREES.map((worktree) => makeProject(workshop, worktree)) as [
    NewProject,
    ...NewProject[],
  ]
  for (let left = sessions; left > 0; ) left -= writeSession(workshop, random.pick(projects), left - 1)
  for (const project of projects) {
    files.write(["project", project.id], { ...project, time: { ...project.time, updated: clock.now() } })
  }
  files.writeMarker()
  const { counts, bytes } = files
  return { counts, bytes, files: Object.values(counts).reduce((total, count) => total + count) + 1 }
}

function makeProject({ random, clock }: Workshop, worktree: string): NewProject {
  const now = clock.now()
  return {
    id: random.hash(),
    worktree: `/home/dev/code/${worktree}`,
    vcs: "git",
    sandboxes: [],
    time: { created: now, updated: now },
  }
}
