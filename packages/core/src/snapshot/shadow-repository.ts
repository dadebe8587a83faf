import { randomUUID } from "node:crypto"
import { statSync } from "node:fs"
import { copyFile, mkdir, readdir, realpath, rename, rm, stat, utimes } from "node:fs/promises"
import { join, resolve } from "node:path"
import { git, gitLine, gitSetting } from "../project/git.js"
import { GitError } from "../project/git-error.js"
import { isInside } from "../project/path.js"
import { readIfThere, replaceFile } from "../project/replace-file.js"
import { userExcludesFile } from "../project/user-excludes.js"
import { SnapshotError } from "./snapshot-error.js"

/**
 * A git repository of our own about somebody else's worktree. Nothing in the user's repository is written to, and
 * of the user's settings none comes in but what to ignore and what the file system can do.
 */
export class ShadowRepository {
  readonly worktree: string
  readonly #folder: string
  readonly #userExclude: string

  private constructor(worktree: string, folder: string, userExclude: string) {
    this.worktree = worktree
    this.#folder = folder
    this.#userExclude = userExclude
  }

  static async open(worktree: string, folder: string): Promise<ShadowRepository> {
    const userExclude = await userExcludeFile(worktree)
    // For its owner only: worktrees hold secrets.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (isInside(await realpath(worktree), await realpath(folder))) {
      throw new SnapshotError("INVALID_FOLDER", `Snapshots must lie outside the worktree, not in ${folder}`)
    }
    await prepareFolder(folder, await settings(worktree))
    return new ShadowRepository(worktree, folder, userExclude)
  }

  /** Runs git on this repository. */
  run(args: readonly string[], options: { index?: string; input?: Buffer } = {}): Promise<Buffer> {
    return git([`--git-dir=${this.#folder}`, `--work-tree=${this.worktree}`, ...args], {
      cwd: this.worktree,
      input: options.input,
      variables: {
        GIT_CONFIG_GLOBAL: "/dev/null",
        GIT_CONFIG_NOSYSTEM: "1",
        ...(options.index !== undefined && { GIT_INDEX_FILE: options.index }),
      },
    })
  }

  /**
   * Gives an index to work with, which is kept for the next time when `action` succeeds. Every call has a file of
   * its own, so that processes never wait for each other, nor for a lock that one left behind when it was killed.
   */
  async withIndex<T>(action: (index: string) => Promise<T>): Promise<T> {
    const [kept, index] = [join(this.#folder, "index"), this.#indexName()]
    try {
      if (!(await copyIndex(kept, index))) await this.run(["read-tree", "--empty"], { index })
      const result = await action(index)
      await rename(index, kept)
      return result
    } finally {
      await removeIndex(index)
    }
  }

  /** Gives an index that holds a tree, and is not kept. */
  async withTree<T>(tree: string, action: (index: string) => Promise<T>): Promise<T> {
    const index = this.#indexName()
    try {
      await this.run(["read-tree", tree], { index })
      return await action(index)
    } finally {
      await removeIndex(index)
    }
  }

  /** Ignores from now on what the user's repository ignores beyond `.gitignore`. */
  async refreshExclude(): Promise<void> {
    await replaceFile(join(this.#folder, "info", "exclude"), (await readIfThere(this.#userExclude)) ?? "")
  }

  #indexName(): string {
    return join(this.#folder, `${INDEX_PREFIX}${randomUUID()}`)
  }
}

const INDEX_PREFIX = "index-"
const ABANDONED_AFTER = 24 * 60 * 60 * 1000

/** The first line of the settings, by which a folder of ours is told from another repository. */
const MARK = "# Snapshots of a worktree, written by Sessile"

/** Contents are kept byte for byte: no line endings converted, no filter run, no keyword expanded. */
const ATTRIBUTES = "* -text !filter !ident !working-tree-encoding !diff\n"

async function userExcludeFile(worktree: string): Promise<string> {
  const output = await gitLine(
    ["rev-parse", "--is-inside-work-tree", "--show-prefix", "--git-path", "info/exclude"],
    {
      cwd: worktree,
    },
  ).catch((error) => {
    if (GitError.is(error) && error.exitCode !== undefined) return undefined
    throw error
  })
  const top = "true\n\n"
  if (output?.startsWith(top)) return resolve(worktree, output.slice(top.length))
  throw new SnapshotError(
    "NO_REPOSITORY",
    `Snapshots need the top of a git worktree, which ${worktree} is not`,
  )
}

async function settings(worktree: string): Promise<string> {
  const lines = [
    MARK,
    "[core]",
    "bare = false",
    "autocrlf = false",
    "safecrlf = false",
    "quotePath = false",
    "longPaths = true",
    "fsmonitor = false",
    "hooksPath = /dev/null",
    "bigFileThreshold = 16m",
  ]
  // What the file system can do, found out by git when the user's repository was made.
  for (const name of ["fileMode", "symlinks", "ignoreCase", "precomposeUnicode"]) {
    const value = await gitSetting(`core.${name}`, { scope: { repository: worktree } })
    // Any other value could bring in settings of its own, with a line break in it.
    if (value === "true" || value === "false") lines.push(`${name} = ${value}`)
  }
  const ignored = await userExcludesFile()
  if (ignored !== undefined) lines.push(`excludesFile = ${quote(ignored)}`)
  // No branch leads to a snapshot, so that collecting garbage would delete them all.
  return [...lines, "[gc]", "auto = 0", ""].join("\n")
}

function quote(value: string): string {
  return `"${value.replace(/["\\]/g, "\\$&").replaceAll("\n", "\\n")}"`
}

// Written by hand: of several `git init` at once only one succeeds, the others fail on its lock.
async function prepareFolder(folder: string, settings: string): Promise<void> {
  const present = await readIfThere(join(folder, "config"))
  if (present !== undefined && !present.startsWith(MARK)) {
    throw new SnapshotError("INVALID_FOLDER", `${folder} holds a repository that is not one of snapshots`)
  }
  for (const name of ["objects", "refs", "info"]) await mkdir(join(folder, name), { recursive: true })
  await replaceFile(join(folder, "config"), settings)
  await replaceFile(join(folder, "info", "attributes"), ATTRIBUTES)
  await replaceFile(join(folder, "HEAD"), "ref: refs/heads/main\n")
  await sweepIndexes(folder)
}

/** Removes the indexes of processes that were killed. */
async function sweepIndexes(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(INDEX_PREFIX)) continue
    const found = statSync(join(folder, name), { throwIfNoEntry: false })
    if (found && found.mtimeMs < Date.now() - ABANDONED_AFTER) await rm(join(folder, name), { force: true })
  }
}

async function copyIndex(from: string, to: string): Promise<boolean> {
  try {
    // Before the copying: an index that is replaced meanwhile must not seem older than it is.
    const { atime, mtimeMs } = await stat(from)
    await copyFile(from, to)
    // Git trusts what it noted about files that are older than the index, so that a copy must not be younger.
    await utimes(to, atime, Math.floor(mtimeMs) / 1000)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false
    throw error
  }
}

async function removeIndex(index: string): Promise<void> {
  await rm(index, { force: true })
  await rm(`${index}.lock`, { force: true })
}
