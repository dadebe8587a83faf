import { existsSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { basename, dirname, join, resolve } from "node:path"
import { gitLine, gitSetting } from "./git.js"
import { GitError } from "./git-error.js"
import { isFolder } from "./project-id.js"

/** A git repository, as seen from a folder in it. */
export interface Repository {
  /** The worktree around the folder. */
  readonly root: string
  /** The main worktree; another than `root` in a linked worktree. A bare repository stands for itself. */
  readonly worktree: string
  /** The folder in which git keeps what all worktrees share, such as `.git` in the main worktree. */
  readonly gitFolder: string
}

/**
 * The repository around a folder, or `undefined` when there is none. A submodule is a repository of its own.
 *
 * @throws GitError when git cannot be started, or refuses to look at a repository that belongs to somebody else
 */
export async function findRepository(directory: string): Promise<Repository | undefined> {
  if (!(await isFolder(directory))) return undefined
  const cwd = await realpath(directory)
  const output = await repositoryOnly(
    gitLine(["rev-parse", "--is-inside-work-tree", "--show-cdup", "--git-common-dir"], { cwd }),
  )
  if (output === undefined) return undefined
  // The way up is not printed outside a worktree, that is in a bare repository or in `.git` itself.
  const inside = /^true\n([^\n]*)\n(.*)$/s.exec(output)
  if (inside === null) return outsideWorktree(cwd, resolve(cwd, output.slice("false\n".length)))

  const gitFolder = resolve(cwd, inside[2] as string)
  // The settings of a repository may name any folder around it as its worktree.
  const root = nearestRepository(cwd) ?? resolve(cwd, inside[1] as string)
  const linked = resolve(cwd, await gitLine(["rev-parse", "--git-dir"], { cwd })) !== gitFolder
  return { root, worktree: linked ? await mainWorktree(cwd, gitFolder) : root, gitFolder }
}

/** The nearest folder, from this one up, that holds a `.git`. */
function nearestRepository(directory: string): string | undefined {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (folder === dirname(folder)) return undefined
  }
}

async function outsideWorktree(cwd: string, gitFolder: string): Promise<Repository> {
  const worktree = await mainWorktree(cwd, gitFolder)
  return { root: worktree, worktree, gitFolder }
}

async function mainWorktree(cwd: string, gitFolder: string): Promise<string> {
  if (basename(gitFolder) === ".git") return dirname(gitFolder)
  // Submodules, whose folder lies in that of the repository around them, are told their worktree.
  const configured = await gitSetting("core.worktree", { scope: { repository: cwd } })
  return configured === undefined ? gitFolder : resolve(gitFolder, configured)
}

async function repositoryOnly(output: Promise<string>): Promise<string | undefined> {
  try {
    return await output
  } catch (error) {
    if (GitError.is(error) && error.said.includes("not a git repository")) return undefined
    throw error
  }
}
