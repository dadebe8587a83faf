import { firstRootCommit, notePath, readNote } from "./project-id.js"
import { replaceFile } from "./replace-file.js"
import { findRepository } from "./repository.js"

/** The id of the project that holds the conversations of folders without a repository. */
export const GLOBAL_PROJECT = "global"

/** The project that a folder belongs to. */
export interface DiscoveredProject {
  /** The first root commit, or `global`. */
  readonly id: string
  /** The main worktree; `/` for `global`. */
  readonly worktree: string
  /** The worktree around the folder: `worktree`, or another one that is linked to it. */
  readonly root: string
  /** Missing for `global`, unless it is faked. */
  readonly vcs?: "git"
}

/** How to discover a project. */
export interface DiscoverOptions {
  /** Note the id in `.git/opencode`, as opencode does, so that it need not be worked out again. Off by default. */
  readonly remember?: boolean | undefined
  /** What folders that belong to `global` are to pass for, for tests: see the flag `OPENCODE_FAKE_VCS`. */
  readonly fakeVcs?: "git" | undefined
}

/**
 * Finds the project that a folder belongs to. All worktrees of a repository are one project, a submodule is its
 * own; a folder in no repository, or in one without a commit, belongs to `global`.
 *
 * @throws GitError when git cannot be started, or refuses to look at a repository that belongs to somebody else
 *
 * @example
 * ```ts
 * const { id, root } = await discoverProject(process.cwd())
 * ```
 */
export async function discoverProject(
  directory: string,
  options: DiscoverOptions = {},
): Promise<DiscoveredProject> {
  const { remember, fakeVcs } = options
  const globalProject = { id: GLOBAL_PROJECT, worktree: "/", root: "/", ...(fakeVcs && { vcs: fakeVcs }) }
  const repository = await findRepository(directory)
  if (repository === undefined) return globalProject
  const { worktree, root, gitFolder } = repository
  const noted = await readNote(gitFolder)
  const id = noted ?? (await firstRootCommit(directory))
  if (id === undefined) return globalProject
  if (remember && noted === undefined) await replaceFile(notePath(gitFolder), id)
  return { id, worktree, root, vcs: "git" }
}
