import { stat } from "node:fs/promises"
import { join } from "node:path"
import { git } from "./git.js"
import { GitError } from "./git-error.js"
import { readIfThere } from "./replace-file.js"

/** What is known of the project in a folder: its id, or why there is none. */
export type ProjectIdentity = { readonly id: string } | { readonly unknown: string }

/**
 * The id of the project whose worktree is this folder: the one that opencode noted in `.git/opencode`, else the
 * alphabetically first root commit. A folder without one is not an error; `unknown` says why.
 *
 * @throws GitError when git itself cannot be started, since then nothing can be said
 */
export async function identifyProject(worktree: string): Promise<ProjectIdentity> {
  if (!(await isFolder(worktree))) return { unknown: "the folder does not exist" }
  const noted = await readNote(join(worktree, ".git"))
  if (noted !== undefined) return { id: noted }
  try {
    const id = await firstRootCommit(worktree)
    return id === undefined ? { unknown: "the repository has no commit" } : { id }
  } catch (error) {
    if (!GitError.is(error) || error.exitCode === undefined) throw error
    return { unknown: `git says: ${error.said.split("\n")[0]}` }
  }
}

/** Where the id is noted in the folder that git keeps for a repository. */
export function notePath(gitFolder: string): string {
  return join(gitFolder, "opencode")
}

/** The id that is noted in the folder that git keeps for a repository. */
export async function readNote(gitFolder: string): Promise<string | undefined> {
  return (await readIfThere(notePath(gitFolder)))?.trim() || undefined
}

/** The alphabetically first of a repository's commits without parents, on whatever branch. */
export async function firstRootCommit(folder: string): Promise<string | undefined> {
  const commits = await git(["rev-list", "--max-parents=0", "--all"], { cwd: folder })
  return commits.toString().split("\n").filter(Boolean).sort()[0]
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false
    throw error
  }
}
