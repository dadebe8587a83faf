import { availableParallelism } from "node:os"
import { Worker } from "node:worker_threads"
import type { Database } from "better-sqlite3"
import type { CheckMessage, CheckTask } from "./check-thread.js"
import { problemsOf } from "./problems.js"

// Found from the sources too, which tests run.
const THREAD = new URL("../dist/check-thread.js", import.meta.url)

/** Whether a thread of its own pays: this one and one that reads a source may take all there is. */
const IS_ROOM_FOR_THREADS = availableParallelism() > 2

/** A check of a database in a thread of its own, through a connection of its own: it reads everything, and others need not wait. */
export class DatabaseCheck {
  /** Resolves as soon as the name of the file is needed no longer. */
  readonly opened: Promise<void>
  readonly #worker: Worker
  readonly #problems: Promise<readonly string[]>

  private constructor(task: CheckTask) {
    this.#worker = new Worker(THREAD, { workerData: task })
    // What nobody waits for does not keep the program running.
    this.#worker.unref()
    this.#problems = new Promise((resolve, reject) => {
      this.#worker.on("message", (message: CheckMessage) => {
        if (message.type === "done") resolve(message.problems)
      })
      this.#worker.on("error", reject)
      this.#worker.on("exit", () => resolve(["The check ended before it was finished"]))
    })
    this.opened = new Promise((resolve) => {
      this.#worker.once("message", () => resolve())
      this.#worker.once("exit", () => resolve())
    })
    // Whoever asks for the problems learns of it.
    this.#problems.catch(() => undefined)
  }

  /** Starts a check, where there is room for a thread. */
  static start(task: CheckTask, isRoomForThreads = IS_ROOM_FOR_THREADS): DatabaseCheck | undefined {
    return isRoomForThreads ? new DatabaseCheck(task) : undefined
  }

  /** What is wrong, a sentence each (see `problemsOf`). */
  problems(): Promise<readonly string[]> {
    this.#worker.ref()
    return this.#problems
  }

  async stop(): Promise<void> {
    await this.#worker.terminate()
  }
}

/** Checks an open database, in a thread of its own where another connection can open it. */
export async function checkDatabase(
  database: Database,
  isRoomForThreads?: boolean,
): Promise<readonly string[]> {
  const task = { path: database.name, isOnlyRead: database.readonly }
  const check = database.memory ? undefined : DatabaseCheck.start(task, isRoomForThreads)
  return check === undefined ? problemsOf(database, task.isOnlyRead) : check.problems()
}
