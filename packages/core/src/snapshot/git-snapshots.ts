import { isAbsolute, join, relative, resolve, sep } from "node:path"
import type { FileDiff } from "../model/file-diff.js"
import { GitError } from "../project/git-error.js"
import { KeyLock } from "../storage/key-lock.js"
import { checkOptions } from "../storage/options.js"
import { readContents } from "./contents.js"
import { decodeGitPath } from "./git-path.js"
import { findObstacle } from "./obstacle.js"
import { ShadowRepository } from "./shadow-repository.js"
import { SnapshotError } from "./snapshot-error.js"
import type { Patch, Snapshots } from "./snapshots.js"
import { type Change, parseChanges, splitNames } from "./tree-changes.js"

/** How to open {@link GitSnapshots}. */
export interface GitSnapshotsOptions {
  /** The top of a git worktree. */
  readonly worktree: string
  /** Where the snapshots are kept: a folder of its own for each worktree, outside of it, made when it is missing. */
  readonly folder: string
}

/**
 * Snapshots of a git worktree, kept as git trees in a repository of their own.
 *
 * - They cover every file, symbolic link and executable bit, tracked by the user or not, byte for byte; only what
 *   git ignores (by `.gitignore`, `.git/info/exclude` or the user's settings) is left out, and so are submodules
 *   and other repositories inside, files that cannot be read, and empty folders.
 * - The user's index, HEAD, branches, stash, hooks and settings are never written to.
 * - Git 2.25 or later is needed. Several processes may use one folder. Snapshots stay until the folder is deleted.
 *
 * Every method rejects with `NOT_FOUND` for a snapshot that is not there, and with a `GitError` when git fails.
 *
 * @example
 * ```ts
 * const { root } = await discoverProject(process.cwd())
 * const snapshots = await GitSnapshots.open({ worktree: root, folder: join(data, "snapshot", id) })
 * ```
 */
export class GitSnapshots implements Snapshots {
  readonly #shadow: ShadowRepository
  readonly #lock = new KeyLock()

  private constructor(shadow: ShadowRepository) {
    this.#shadow = shadow
  }

  /**
   * Opens the snapshots of a worktree.
   *
   * @throws SnapshotError `NO_REPOSITORY` unless `worktree` is the top of a git worktree (elsewhere whole disks
   * might be copied; see `NoSnapshots`), `INVALID_FOLDER` for a folder inside it or one with another repository
   */
  static async open(options: GitSnapshotsOptions): Promise<GitSnapshots> {
    checkOptions("GitSnapshots", options, { worktree: "string", folder: "string" })
    return new GitSnapshots(await ShadowRepository.open(resolve(options.worktree), resolve(options.folder)))
  }

  track(): Promise<string> {
    return this.#alone((index) => this.#capture(index))
  }

  async patch(from: string): Promise<Patch> {
    const changes = await this.#changes(await this.#tree(from), await this.track())
    return { hash: from, files: changes.map(({ file }) => join(this.#shadow.worktree, file)) }
  }

  async diff(from: string, to?: string): Promise<string> {
    const trees = await this.#trees(from, to)
    return (
      await this.#shadow.run(["diff-tree", "-r", "--patch", "--no-renames", ...NO_PROGRAMS, ...trees])
    ).toString()
  }

  async diffFull(from: string, to?: string): Promise<FileDiff[]> {
    const changes = await this.#changes(...(await this.#trees(from, to)), "--numstat")
    const contents = await readContents(this.#shadow, changes)
    return changes.map(({ file, status, before, after, lines }) => ({
      file,
      before: contents.get(before.hash) ?? "",
      after: contents.get(after.hash) ?? "",
      additions: lines?.additions ?? 0,
      deletions: lines?.deletions ?? 0,
      status,
    }))
  }

  async restore(hash: string): Promise<void> {
    const tree = await this.#tree(hash)
    await this.#alone(async (index) => {
      await this.#bringBack(index, await this.#capture(index), tree)
    })
  }

  async revert(patches: readonly Patch[]): Promise<void> {
    const wanted = this.#filesOf(patches)
    const hashes = new Set(wanted.values())
    if (hashes.size === 0) return
    for (const hash of hashes) await this.#tree(hash)
    await this.#alone(async (index) => {
      const current = await this.#capture(index)
      const changes: Change[] = []
      for (const hash of hashes) {
        const all = await this.#changes(current, hash)
        changes.push(...all.filter(({ file }) => wanted.get(file) === hash))
      }
      await this.#bringBack(index, current, await this.#treeWith(current, changes))
    })
  }

  #alone<T>(action: (index: string) => Promise<T>): Promise<T> {
    return this.#lock.exclusive("worktree", () => this.#shadow.withIndex(action))
  }

  /** Takes the worktree as it is into the index, and gives its tree. */
  async #capture(index: string): Promise<string> {
    await this.#shadow.refreshExclude()
    const untracked = await this.#shadow.run(["ls-files", "-z", "--others", "--exclude-standard"], { index })
    // Only other repositories are listed as folders; git would note their commit, or fail if there is none.
    const repositories = splitNames(untracked).filter((name) => name.endsWith("/"))
    const selection = [":(top)", ...repositories.map((name) => `:(top,exclude,literal)${name}`)]
    const input = Buffer.from(`${selection.join("\0")}\0`, "latin1")
    try {
      const add = ["add", "--all", "--ignore-errors", "--pathspec-from-file=-", "--pathspec-file-nul"]
      await this.#shadow.run(add, { index, input })
    } catch (error) {
      // Some file could not be read; all the others have been added.
      if (!GitError.is(error) || error.exitCode !== 1) throw error
    }
    return (await this.#shadow.run(["write-tree"], { index })).toString().trim()
  }

  /** Takes worktree and index from the tree that they hold to another one. */
  async #bringBack(index: string, current: string, tree: string): Promise<void> {
    const obstacle = findObstacle(this.#shadow.worktree, await this.#changes(current, tree))
    if (obstacle !== undefined) throw obstructed(obstacle)
    await this.#shadow.run(["read-tree", "-m", "-u", tree], { index })
  }

  async #treeWith(current: string, changes: readonly Change[]): Promise<string> {
    const lines = changes.map(({ after, name }) => `${after.mode} ${after.hash} 0\t${name}\0`)
    const tree = await this.#shadow.withTree(current, async (index) => {
      // A file that goes may make room for a folder that comes: those with mode 000000 are first.
      const input = Buffer.from(lines.sort().join(""), "latin1")
      await this.#shadow.run(["update-index", "-z", "--index-info"], { index, input })
      return (await this.#shadow.run(["write-tree"], { index })).toString().trim()
    })
    const named = new Set(changes.map(({ name }) => name))
    const lost = (await this.#changes(current, tree)).find(({ name }) => !named.has(name))
    if (lost !== undefined) throw obstructed(lost.file)
    return tree
  }

  /** Which snapshot each file goes back to. */
  #filesOf(patches: readonly Patch[]): Map<string, string> {
    const wanted = new Map<string, string>()
    for (const { hash, files } of patches) {
      for (const file of files) {
        const name = relative(this.#shadow.worktree, resolve(this.#shadow.worktree, file))
          .split(sep)
          .join("/")
        if (name === ".." || name.startsWith("../") || isAbsolute(name)) {
          throw new SnapshotError("OUTSIDE", `${file} lies outside the worktree ${this.#shadow.worktree}`)
        }
        // Older releases of opencode store names as git prints them.
        for (const spelling of [name, decodeGitPath(name)]) {
          if (!wanted.has(spelling)) wanted.set(spelling, hash)
        }
      }
    }
    return wanted
  }

  async #trees(from: string, to: string | undefined): Promise<[string, string]> {
    return [await this.#tree(from), to === undefined ? await this.track() : await this.#tree(to)]
  }

  async #changes(from: string, to: string, ...options: string[]): Promise<Change[]> {
    const args = ["diff-tree", "-r", "-z", "--raw", "--no-renames", ...NO_PROGRAMS, ...options, from, to]
    return parseChanges(await this.#shadow.run(args))
  }

  /** Checks that there is such a snapshot. Hashes come from stored records: anything else might be an option. */
  async #tree(hash: string): Promise<string> {
    try {
      if (!/^[0-9a-f]{40}$/.test(hash)) throw notFound("of this name, which is no hash")
      await this.#shadow.run(["rev-parse", "--verify", "--quiet", `${hash}^{tree}`])
      return hash
    } catch (error) {
      if (GitError.is(error) && error.exitCode === 1) throw notFound(hash)
      throw error
    }
  }
}

const NO_PROGRAMS = ["--no-ext-diff", "--no-textconv"]

function obstructed(file: string): SnapshotError {
  return new SnapshotError("OBSTRUCTED", `${file} is where another file should come back; move it away first`)
}

function notFound(which: string): SnapshotError {
  return new SnapshotError("NOT_FOUND", `There is no snapshot ${which}`)
}
