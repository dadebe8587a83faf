import { execFile } from "node:child_process"
import { readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import { promisify } from "node:util"

const run = promisify(execFile)

/** What is known of the project in a folder: its id, or why there is none. */
export type ProjectIdentity = { readonly id: string } | { readonly unknown: string }

/**
 * The id of the project whose worktree is this folder: the one that opencode noted in `.git/opencode`, else the
 * alphabetically first root commit. A folder without one is not an error; `unknown` says why.
 *
 * @throws Error when git itself cannot be started, since then nothing can be said
 */
export async function identifyProject(worktree: string): Promise<ProjectIdentity> {
  if (!(await isFolder(worktree))) return { unknown: "the folder does not exist" }
  const noted = await noteInRepository(worktree)
  if (noted !== undefined) return { id: noted }
  try {
    const { stdout } = await run("git", ["rev-list", "--max-parents=0", "--all"], {
      cwd: worktree,
      env: withoutRepository(process.env),
    })
    const [id] = stdout.split("\n").filter(Boolean).sort()
    return id === undefined ? { unknown: "the repository has no commit" } : { id }
  } catch (error) {
    // A number is git's own exit code; anything else means that it did not run.
    const { code, stderr } = error as { code?: unknown; stderr?: string }
    if (typeof code === "number") return { unknown: `git says: ${stderr?.split("\n")[0]}` }
    throw new Error(`Cannot run git in ${worktree} to identify the project; is git installed?`, {
      cause: error,
    })
  }
}

async function noteInRepository(worktree: string): Promise<string | undefined> {
  try {
    return (await readFile(join(worktree, ".git", "opencode"), "utf8")).trim() || undefined
  } catch (error) {
    // No repository, or a linked worktree, whose `.git` is a file.
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return false
    throw error
  }
}

// Set inside git hooks, these would make git look at another repository.
const repositoryVariables = ["GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY"]

function withoutRepository(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => !repositoryVariables.includes(name)),
  )
}
