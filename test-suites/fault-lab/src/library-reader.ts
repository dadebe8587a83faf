import { type ChildProcess, fork } from "node:child_process"
import { fileURLToPath } from "node:url"
import type { Reading, ReadingTask, StoreReader } from "./reading.js"
import type { Subject } from "./subject.js"

const program = fileURLToPath(new URL("../dist/reading-process.js", import.meta.url))

/** Reads stores in another process, which is replaced when a damaged store ends it or keeps it busy for too long. */
export class LibraryReader implements StoreReader {
  readonly #subject: Subject
  readonly #timeLimit: number
  readonly #environment: NodeJS.ProcessEnv
  #child: ChildProcess | undefined

  constructor(subject: Subject, options: { readonly timeLimit: number; readonly temporary: string }) {
    this.#subject = subject
    this.#timeLimit = options.timeLimit
    this.#environment = { ...process.env, TMPDIR: options.temporary }
  }

  async read(task: ReadingTask): Promise<Reading | "crash" | "hang"> {
    this.#child ??= this.#start()
    const child = this.#child
    let timer: NodeJS.Timeout | undefined
    const outcome = await new Promise<Reading | "crash" | "hang">((resolve) => {
      timer = setTimeout(() => resolve("hang"), this.#timeLimit)
      child.once("exit", () => resolve("crash"))
      child.once("message", (reading: Reading) => resolve(reading))
      child.send(task)
    })
    clearTimeout(timer)
    child.removeAllListeners("exit").removeAllListeners("message")
    if (typeof outcome === "string") await this.#end()
    return outcome
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#end()
  }

  #start(): ChildProcess {
    // What an aborting engine prints is of no use here: the mutation can be repeated alone.
    const stdio = ["ignore", "ignore", "ignore", "ipc"] as const
    return fork(program, [this.#subject.module], { stdio: [...stdio], env: this.#environment })
  }

  async #end(): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = new Promise((resolve) => child.once("exit", resolve))
    child.kill("SIGKILL")
    await exit
  }
}
