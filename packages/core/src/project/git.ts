import { execFile } from "node:child_process"
import { promisify } from "node:util"
import { GitError } from "./git-error.js"

const run = promisify(execFile)

/** How to run git. */
export interface GitOptions {
  /** An existing folder to run it in. */
  readonly cwd: string
  /** What git reads from its standard input. */
  readonly input?: Buffer | undefined
  /** Variables beyond the environment of this process. */
  readonly variables?: Readonly<Record<string, string>> | undefined
}

/**
 * Runs git and gives what it printed. Of the variables that steer git none comes through but those that say where
 * it is installed, configured and allowed to look; it asks nobody anything, and takes no lock that it can do without.
 *
 * @throws GitError
 */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const running = run("git", args, {
    cwd: options.cwd,
    env: { ...cleanEnvironment(process.env), ...options.variables },
    encoding: "buffer",
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
  })
  // Git may end without having read everything; its exit code, not the broken pipe, says why.
  running.child.stdin?.on("error", () => undefined)
  running.child.stdin?.end(options.input)
  try {
    return (await running).stdout
  } catch (error) {
    throw new GitError(args, options.cwd, error)
  }
}

/** Like {@link git}, for one line of text: gives it without the newline at its end. */
export async function gitLine(args: readonly string[], options: GitOptions): Promise<string> {
  return (await git(args, options)).toString().replace(/\n$/, "")
}

/** A setting of the repository around `cwd`, or of the user; `undefined` when it is not set. */
export async function gitSetting(name: string, cwd: string, type?: "path"): Promise<string | undefined> {
  try {
    return await gitLine(["config", ...(type === undefined ? [] : [`--type=${type}`]), "--get", name], {
      cwd,
    })
  } catch (error) {
    if (GitError.is(error) && error.exitCode === 1) return undefined
    throw error
  }
}

const passedOn = [
  "GIT_EXEC_PATH",
  "GIT_CONFIG_GLOBAL",
  "GIT_CONFIG_SYSTEM",
  "GIT_CONFIG_NOSYSTEM",
  "GIT_CEILING_DIRECTORIES",
  "GIT_DISCOVERY_ACROSS_FILESYSTEM",
]

// Inside git hooks GIT_DIR, GIT_INDEX_FILE and the like are set, and would lead to another repository.
function cleanEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const kept = Object.entries(environment).filter(([name]) => {
    return !name.toUpperCase().startsWith("GIT_") || passedOn.includes(name.toUpperCase())
  })
  return { ...Object.fromEntries(kept), LC_ALL: "C", GIT_TERMINAL_PROMPT: "0", GIT_OPTIONAL_LOCKS: "0" }
}
