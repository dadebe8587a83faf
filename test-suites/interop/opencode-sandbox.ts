import { spawn } from "node:child_process"
import { once } from "node:events"
import { copyFile, mkdir, open, readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import { type TemporaryFolder, temporaryFolder } from "@sessile/fixtures"
import type { ExportedSession } from "./exported-session.js"
import { isolated } from "./isolation.js"
import { obtainPackage } from "./npm-package.js"
import { openPort } from "./open-port.js"
import { OpencodeServer } from "./opencode-server.js"
import { packageFolder } from "./package-folder.js"
import { makeWorktree } from "./worktree.js"

const RUN_LIMIT = 60_000

/** How a run of opencode ended. */
export interface Outcome {
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** What it takes to start a program. */
export interface ProgramRun {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: NodeJS.ProcessEnv
}

/**
 * A real opencode release with a home, a worktree and a network (loopback) of its own, all of them gone when it
 * is disposed of.
 *
 * @example
 * ```ts
 * await using opencode = await OpencodeSandbox.create("1.1.65")
 * await opencode.listSessions() // []
 * ```
 */
export class OpencodeSandbox implements AsyncDisposable {
  readonly #program: string
  readonly #home: TemporaryFolder
  #port: AsyncDisposable | undefined
  /** What starts the program where it is isolated. */
  #starter: readonly string[] = []

  private constructor(program: string, home: TemporaryFolder) {
    this.#program = program
    this.#home = home
  }

  /** Prepares a home, empty or with a copy of a database. The worktree in it is the repository of the fixtures. */
  static async create(version: string, database?: string): Promise<OpencodeSandbox> {
    const release = await obtainPackage(`opencode-linux-x64@${version}`, version)
    const sandbox = new OpencodeSandbox(join(release, "bin", "opencode"), await temporaryFolder())
    await makeWorktree(sandbox.worktree)
    await mkdir(sandbox.data, { recursive: true })
    if (database !== undefined) await copyFile(database, sandbox.database)
    return sandbox
  }

  /** The working directory of every run. */
  get worktree(): string {
    return join(this.#home.path, "acme")
  }

  /** The folder of all that opencode keeps. */
  get data(): string {
    return join(this.#home.path, "data", "opencode")
  }

  /** The folder of the JSON store. opencode makes it when it first runs. */
  get storage(): string {
    return join(this.data, "storage")
  }

  /** The database of opencode since 1.2, which it makes when it first runs. */
  get database(): string {
    return join(this.data, "opencode.db")
  }

  /** That database, as the program `sessile` takes it. */
  get address(): string {
    return `opencode:${this.database}`
  }

  /** The folder of the legacy layout, which opencode before 0.7 wrote. */
  get legacy(): string {
    return join(this.data, "project")
  }

  /** The root sessions of the project of a folder, as `opencode session list` prints them: newest first. */
  async listSessions(folder = this.worktree): Promise<{ id: string; title: string }[]> {
    const command = ["session", "list", "--format", "json"]
    const { stdout } = succeeded(command, await this.#run(command, folder))
    // Without sessions it prints nothing.
    return stdout === "" ? [] : JSON.parse(stdout)
  }

  /** The titles of those sessions, by id. */
  async listedTitles(): Promise<Map<string, string>> {
    return new Map((await this.listSessions()).map(({ id, title }) => [id, title]))
  }

  /** What `opencode export` prints for a session. */
  async exportSession(sessionID: string): Promise<ExportedSession> {
    const { stdout } = await this.#succeed("export", sessionID)
    return JSON.parse(stdout)
  }

  /** The figures of `opencode stats`, by their names. */
  async stats(): Promise<Map<string, string>> {
    const { stdout } = await this.#succeed("stats")
    return new Map(
      Array.from(stdout.matchAll(/│ ?(\w.*?) {2,}(\S+) +│/g), ([, name, figure]) => [name, figure]) as [
        string,
        string,
      ][],
    )
  }

  /** Brings in a session from a file that `opencode export` wrote. */
  async importSession(file: string): Promise<void> {
    const command = ["import", file]
    const outcome = await this.#succeed(...command)
    // It exits with 0 even when the file is missing.
    if (!outcome.stdout.includes("Imported session")) throw failure("imported nothing", command, outcome)
  }

  /**
   * Runs opencode to its end.
   *
   * @throws Error if it takes longer than a minute
   */
  async run(...args: string[]): Promise<Outcome> {
    return this.#run(args, this.worktree)
  }

  async #run(args: readonly string[], cwd: string): Promise<Outcome> {
    // opencode exits before a pipe has taken all of its output; a file gets the whole of it.
    await using outputs = await temporaryFolder()
    const stdoutPath = join(outputs.path, "stdout")
    const stderrPath = join(outputs.path, "stderr")
    await using stdout = await open(stdoutPath, "w")
    await using stderr = await open(stderrPath, "w")
    const { file, args: fileArgs, env } = this.command(...args)
    const child = spawn(file, fileArgs, {
      cwd,
      env,
      stdio: ["ignore", stdout.fd, stderr.fd],
      timeout: RUN_LIMIT,
      killSignal: "SIGKILL",
    })
    const [exitCode, signal] = await once(child, "close")
    const outcome = {
      exitCode,
      stdout: await readFile(stdoutPath, "utf8"),
      stderr: await readFile(stderrPath, "utf8"),
    }
    if (signal !== null) throw failure(`was ended by ${signal}`, args, outcome)
    return outcome
  }

  /** Writes the settings of opencode. */
  async configure(settings: object): Promise<void> {
    const folder = join(this.#home.path, "config", "opencode")
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, "opencode.json"), JSON.stringify(settings))
  }

  /** Lets what is started from now on reach a server on loopback out here, at the same port. */
  async reachPort(port: number): Promise<void> {
    const socketPath = join(this.#home.path, `port-${port}`)
    this.#port = await openPort(port, socketPath)
    this.#starter = [process.execPath, join(packageFolder, "reach-port.mjs"), String(port), socketPath]
  }

  /** Starts `opencode serve`. */
  serve(): Promise<OpencodeServer> {
    const socketPath = join(this.#home.path, "socket")
    const relay = [process.execPath, join(packageFolder, "serve-on-socket.mjs"), socketPath]
    const args = isolated(...this.#starter, ...relay, this.#program, "serve", "--port", "0")
    return OpencodeServer.start({ ...this.command(), args }, socketPath)
  }

  /** How {@link run} starts opencode, for those who start it themselves. The process started becomes opencode. */
  command(...args: string[]): ProgramRun {
    return {
      file: "unshare",
      args: isolated(...this.#starter, this.#program, ...args),
      cwd: this.worktree,
      env: this.#environment(),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#port?.[Symbol.asyncDispose]()
    await this.#home[Symbol.asyncDispose]()
  }

  async #succeed(...args: string[]): Promise<Outcome> {
    return succeeded(args, await this.run(...args))
  }

  // Nothing is inherited but the search path: settings of the person who runs the tests must not reach the program.
  #environment(): NodeJS.ProcessEnv {
    return {
      PATH: process.env.PATH,
      HOME: this.#home.path,
      XDG_DATA_HOME: join(this.#home.path, "data"),
      XDG_CONFIG_HOME: join(this.#home.path, "config"),
      XDG_CACHE_HOME: join(this.#home.path, "cache"),
      XDG_STATE_HOME: join(this.#home.path, "state"),
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
      OPENCODE_DISABLE_DEFAULT_PLUGINS: "1",
    }
  }
}

function succeeded(args: readonly string[], outcome: Outcome): Outcome {
  if (outcome.exitCode !== 0) throw failure(`exited with ${outcome.exitCode}`, args, outcome)
  return outcome
}

function failure(what: string, args: readonly string[], { stdout, stderr }: Outcome): Error {
  return new Error(`opencode ${args.join(" ")} ${what}\n${stdout}${stderr}`)
}
