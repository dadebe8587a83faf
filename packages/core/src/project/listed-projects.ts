import { createHash } from "node:crypto"
import { gitSetting } from "./git.js"
import { GitError } from "./git-error.js"
import { firstRootCommit, notePath, readNote } from "./project-id.js"
import { findRepository } from "./repository.js"

/** The projects whose sessions opencode lists in a folder. */
export interface ListedProjects {
  /** Their ids. Of `global` it also lists the sessions that were held in `root` itself, and adopts them. */
  readonly ids: readonly string[]
  /** The worktree around the folder; `undefined` outside of repositories. */
  readonly root?: string
  /** The file in which opencode notes the project of a repository, such as `.git/opencode`. */
  readonly note?: string
  /** Whether the project is named after the remote `origin`: sessions of the project in `note` then move to it. */
  readonly hasRemote: boolean
}

/**
 * Finds the projects whose sessions opencode 1.18 lists when it is started in a folder. A repository is named after its
 * remote `origin`, else as noted, else after its first root commit; anything else belongs to `global`.
 *
 * @throws GitError when git cannot be started
 *
 * @example
 * ```ts
 * const { ids } = await listedProjects("/home/dev/code/acme")
 * ```
 */
export async function listedProjects(directory: string): Promise<ListedProjects> {
  const repository = await ownRepository(directory)
  if (repository === undefined) return { ids: ["global"], hasRemote: false }
  const { root, gitFolder } = repository
  const noted = await readNote(gitFolder)
  const remote = remoteProject(await gitSetting("remote.origin.url", { scope: { repository: root } }))
  const id = remote ?? noted ?? (await firstRootCommit(root)) ?? "global"
  return {
    ids: noted === undefined || noted === id ? [id] : [id, noted],
    root,
    note: notePath(gitFolder),
    hasRemote: remote !== undefined,
  }
}

async function ownRepository(directory: string) {
  try {
    return await findRepository(directory)
  } catch (error) {
    // git does not look at what belongs to somebody else, and so opencode sees no repository there either.
    if (GitError.is(error) && error.exitCode !== undefined) return undefined
    throw error
  }
}

/** The id of the project of a remote on another machine: of its host and path alone. */
function remoteProject(url = ""): string | undefined {
  const short = /^[^/@]+@([^/:]+):\/*(.+)$/.exec(url)
  const long = /^(?!file:)[a-z+]+:\/\/(?:[^/@]*@)?([^/:]+)(?::\d+)?\/+([^?#]+)/i.exec(url)
  const [, host, path] = long ?? short ?? []
  if (host === undefined || path === undefined) return undefined
  const name = path.replace(/\/+$/, "").replace(/\.git$/, "")
  return createHash("sha1").update(`git-remote:${host.toLowerCase()}/${name}`).digest("hex")
}
