import { join } from "node:path"
import type { Project } from "../model/project.js"
import type { Session } from "../model/session.js"
import { SessionError } from "./session-error.js"

/** Where plans are kept: in the worktree of a repository, else in a folder of the program. */
export interface PlanPlace {
  readonly vcs: Project["vcs"]
  readonly worktree: string
  readonly plansFolder: string | undefined
}

/**
 * The file for the plan of a session, `<time.created>-<slug>.md`. Old sessions have no slug, and one with
 * characters that mean something in a path must not lead out of the folder: their id takes its place.
 *
 * @throws SessionError `UNSUPPORTED` outside repositories when no folder was given
 */
export function planPath({ vcs, worktree, plansFolder }: PlanPlace, session: Session): string {
  const folder = vcs === undefined ? plansFolder : join(worktree, ".opencode", "plans")
  if (folder === undefined)
    throw new SessionError("UNSUPPORTED", "Plans of this project take a folder; give one as plansFolder")
  const name = /^[\w-]+$/.test(session.slug ?? "") ? session.slug : session.id.replace(/[^\w-]/g, "_")
  return join(folder, `${Number(session.time.created)}-${name}.md`)
}
