import { ExitCode } from "./exit-code.js"

/**
 * Turns Ctrl-C and a request to end into a signal, so that a command can stop between two steps. The second one
 * ends the program at once.
 */
export class Interruption implements Disposable {
  readonly #controller = new AbortController()
  readonly #onInterrupt = () => this.#interrupt(ExitCode.interrupted)
  readonly #onTerminate = () => this.#interrupt(ExitCode.terminated)
  readonly #tell: () => void
  #exitCode: ExitCode | undefined

  /** @param tell called at the first signal */
  constructor(tell: () => void) {
    this.#tell = tell
    process.on("SIGINT", this.#onInterrupt)
    process.on("SIGTERM", this.#onTerminate)
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The exit code for what came; `undefined` while nothing has. */
  get exitCode(): ExitCode | undefined {
    return this.#exitCode
  }

  [Symbol.dispose](): void {
    process.off("SIGINT", this.#onInterrupt)
    process.off("SIGTERM", this.#onTerminate)
  }

  #interrupt(exitCode: ExitCode): void {
    if (this.#exitCode !== undefined) process.exit(exitCode)
    this.#exitCode = exitCode
    this.#tell()
    this.#controller.abort()
  }
}
