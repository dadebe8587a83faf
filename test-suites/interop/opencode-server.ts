import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { request } from "node:http"
import { createInterface } from "node:readline"
import { json } from "node:stream/consumers"
import type { ExportedMessage, ExportedRecord, ExportedSession } from "./exported-session.js"
import type { ProgramRun } from "./opencode-sandbox.js"

const START_LIMIT = 60_000
const REQUEST_LIMIT = 30_000

/** An opencode that serves, reached by a socket in the file system. It ends when it is disposed of. */
export class OpencodeServer implements AsyncDisposable {
  readonly #child: ChildProcess
  readonly #socketPath: string

  private constructor(child: ChildProcess, socketPath: string) {
    this.#child = child
    this.#socketPath = socketPath
  }

  /**
   * Starts what brings up a server behind a socket, and waits until it answers.
   *
   * @throws Error if it ends or takes longer than a minute
   */
  static async start({ file, args, cwd, env }: ProgramRun, socketPath: string): Promise<OpencodeServer> {
    const child = spawn(file, args, { cwd, env, stdio: ["pipe", "pipe", "ignore"] })
    const server = new OpencodeServer(child, socketPath)
    try {
      const signal = AbortSignal.timeout(START_LIMIT)
      const exited = once(child, "exit", { signal }).then(() => Promise.reject(new Error("The server ended")))
      await Promise.race([once(createInterface(child.stdout), "line", { signal }), exited])
      return server
    } catch (error) {
      await server[Symbol.asyncDispose]()
      throw error
    }
  }

  /** The identifiers of all sessions, sorted. */
  async sessionIDs(): Promise<string[]> {
    return (await this.get<ExportedRecord[]>("/session?limit=10000")).map(({ id }) => id).sort()
  }

  /** A session with its messages, in the form of an export. */
  async session(id: string): Promise<ExportedSession> {
    return { info: await this.get(`/session/${id}`), messages: await this.messages(id) }
  }

  /** The messages of a session. */
  messages(id: string): Promise<ExportedMessage[]> {
    return this.get(`/session/${id}/message`)
  }

  /** What the server answers to a GET. */
  get<T>(path: string): Promise<T> {
    return this.#request("GET", path)
  }

  /** What the server answers to a POST. */
  post<T>(path: string, body: object): Promise<T> {
    return this.#request("POST", path, JSON.stringify(body))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const exit = once(this.#child, "exit")
    this.#child.stdin?.end()
    await exit
  }

  async #request<T>(method: string, path: string, body?: string): Promise<T> {
    const outgoing = request({
      socketPath: this.#socketPath,
      method,
      path,
      headers: { host: "127.0.0.1", "content-type": "application/json" },
      agent: false,
      signal: AbortSignal.timeout(REQUEST_LIMIT),
    })
    const answer = once(outgoing, "response")
    outgoing.end(body)
    const [response] = await answer
    const value = await json(response)
    if (response.statusCode !== 200) {
      throw new Error(`${method} ${path} was answered with ${response.statusCode}: ${JSON.stringify(value)}`)
    }
    return value as T
  }
}
