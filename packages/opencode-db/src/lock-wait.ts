import { setTimeout } from "node:timers/promises"
import { StorageError } from "@sessile/core/storage"
import type { Database } from "better-sqlite3"

/** Called while another program holds the database, again and again, with the milliseconds since the waiting began. */
export type OnLockWait = (waited: number) => void

/** How to wait. */
export interface LockWaitOptions {
  readonly path: string
  readonly onWait?: OnLockWait | undefined
  /** When to stop waiting, in milliseconds. */
  readonly limit?: number | undefined
}

/** How long one attempt may block the thread: SQLite waits without letting anything else happen. */
export const ATTEMPT_MILLISECONDS = 100

/** The time for which nothing is written but others get to work: signals, progress, timers. */
const PAUSE_MILLISECONDS = 20

/** How long to wait for other programs. */
export const LIMIT_MILLISECONDS = 60_000

/**
 * Repeats what cannot be done while another program holds the database, one caller after the other, so that changes happen
 * in the order in which they were asked for.
 */
export class LockWait {
  readonly #path: string
  readonly #onWait: OnLockWait | undefined
  readonly #limit: number
  /** Settles when the last one who came is done. */
  #last: Promise<void> | undefined

  constructor({ path, onWait, limit = LIMIT_MILLISECONDS }: LockWaitOptions) {
    this.#path = path
    this.#onWait = onWait
    this.#limit = limit
  }

  /**
   * Runs an attempt that does all or nothing, until it does not fail with `LOCKED`.
   *
   * @throws StorageError `LOCKED` after the limit
   */
  run<T>(attempt: () => T): Promise<T> {
    const result =
      this.#last === undefined ? this.#repeat(attempt) : this.#last.then(() => this.#repeat(attempt))
    const forget = () => {
      if (this.#last === settled) this.#last = undefined
    }
    const settled: Promise<void> = result.then(forget, forget)
    this.#last = settled
    return result
  }

  async #repeat<T>(attempt: () => T): Promise<T> {
    const began = performance.now()
    for (;;) {
      try {
        return attempt()
      } catch (error) {
        if (!StorageError.is(error, "LOCKED")) throw error
        const waited = performance.now() - began
        if (waited >= this.#limit) throw this.#lockedError(error)
        this.#onWait?.(waited)
      }
      await setTimeout(PAUSE_MILLISECONDS)
    }
  }

  #lockedError(cause: StorageError): StorageError {
    const seconds = Math.round(this.#limit / 1000)
    const message = `opencode or another program has been writing to the database for ${seconds} seconds`
    return new StorageError("LOCKED", `${message}; close it, or try again when it is done`, {
      path: this.#path,
      cause,
    })
  }
}

/** Runs what waits for other programs for some time only. */
export function withTimeout<T>(database: Database, milliseconds: number, action: () => T): T {
  database.pragma(`busy_timeout = ${milliseconds}`)
  try {
    return action()
  } finally {
    database.pragma(`busy_timeout = ${LIMIT_MILLISECONDS}`)
  }
}
