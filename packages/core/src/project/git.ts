import { execFile } from "node:child_process"
import { tmpdir } from "node:os"
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
 * Settings over those of the repository, whose author may be anybody: by some of them git would run a program. What a
 * command of ours runs only when it is told to, such as a textual conversion, is switched off where it is called.
 */
const SAFE_SETTINGS = [
  "core.fsmonitor=false",
  "core.hooksPath=/dev/null",
  "core.pager=cat",
  "core.sshCommand=false",
  "core.askPass=false",
  "core.gitProxy=",
  "core.alternateRefsCommand=false",
  "credential.helper=",
  "submodule.recurse=false",
].flatMap((setting) => ["-c", setting])

/** Longer than any of our commands takes, so that a pipe in the place of a file of git's holds nobody up for ever. */
const TIME_LIMIT = 10 * 60 * 1000

/**
 * Runs git and returns what it printed. The settings of a repository cannot make it run a program, nor reach for
 * another repository or the network. Of the variables that steer git none comes through but those that say where it is
 * installed, configured and allowed to look; it asks nobody anything, and takes no lock that it can do without.
 *
 * @throws GitError
 */
export async function git(args: readonly string[], options: GitOptions): Promise<Buffer> {
  const running = run("git", [...SAFE_SETTINGS, ...args], {
    cwd: options.cwd,
    env: { ...cleanEnvironment(process.env), ...options.variables },
    encoding: "buffer",
    maxBuffer: Number.POSITIVE_INFINITY,
    windowsHide: true,
    timeout: TIME_LIMIT,
    killSignal: "SIGKILL",
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

/** Which setting to read. */
export interface GitSettingOptions {
  /** A folder whose repository counts, after the user's own settings; or those alone. */
  readonly scope: { readonly repository: string } | "user"
  readonly type?: "path" | undefined
}

/** A setting; `undefined` when it is not set. */
export async function gitSetting(name: string, options: GitSettingOptions): Promise<string | undefined> {
  const { scope, type } = options
  const args = ["config", ...(type === undefined ? [] : [`--type=${type}`]), "--get", name]
  try {
    if (scope !== "user") return await gitLine(args, { cwd: scope.repository })
    return await gitLine(args, { cwd: tmpdir(), variables: { GIT_DIR: NO_REPOSITORY } })
  } catch (error) {
    if (GitError.is(error) && error.exitCode === 1) return undefined
    throw error
  }
}

/** Where git finds no repository, and so no settings of one. */
const NO_REPOSITORY = "/dev/null"

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
  return {
    ...Object.fromEntries(kept),
    LC_ALL: "C",
    GIT_TERMINAL_PROMPT: "0",
    GIT_OPTIONAL_LOCKS: "0",
    // An object that is missing must not be fetched: the settings name the program that fetches.
    GIT_ALLOW_PROTOCOL: "none",
    GIT_NO_LAZY_FETCH: "1",
  }
}
