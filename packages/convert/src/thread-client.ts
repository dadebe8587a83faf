import { once } from "node:events"
import type { Worker } from "node:worker_threads"
import { StorageError } from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import type { ReadingPlan } from "./reading.js"
import type { ReadOptions } from "./record-source.js"
import { unpackPage } from "./source-page.js"
import type { ThreadFailure, ThreadRequest, ThreadResponse, ThreadSetup } from "./source-thread.js"
import { Turns } from "./turns.js"

/** One thread that reads its share of a store, seen from outside. */
export class ThreadClient {
  readonly #worker: Worker
  readonly #responses: ThreadResponse[] = []
  readonly #turns = new Turns()
  #waiting: ((response: ThreadResponse) => void) | undefined
  #asked = 0
  #check: Promise<readonly string[]> | undefined
  #ended = false

  constructor(worker: Worker, setup: ThreadSetup) {
    this.#worker = worker
    worker.ref()
    this.#worker.on("message", (response: ThreadResponse) => this.#receive(response))
    this.#worker.on("error", (error) => this.#receive({ type: "failed", error: { message: error.message } }))
    this.#worker.on("exit", () => {
      this.#ended = true
      this.#receive(ENDED)
    })
    this.#request({ type: "open", setup })
  }

  async opened(): Promise<void> {
    await this.#response()
  }

  async *read(
    plan: ReadingPlan,
    { onForeign, signal }: ReadOptions = {},
  ): AsyncGenerator<ReadPage, void, void> {
    const number = ++this.#asked
    this.#request({ type: "read", plan, number })
    const stop = () => this.#request({ type: "stop", number })
    signal?.addEventListener("abort", stop)
    if (signal?.aborted) stop()
    const end = await this.#turns.take()
    // Anything but a page, an error above all, is the end of it.
    let taken: readonly SharedArrayBuffer[] | undefined
    try {
      for (;;) {
        const response = await this.#response()
        if (response.type === "foreign") onForeign?.(response.file)
        else if (response.type === "pages") {
          taken = response.memory
          const pieces = taken.map((piece) => Buffer.from(piece))
          for (const page of response.pages) yield unpackPage(page, pieces)
          this.#giveBack(taken)
          taken = undefined
        } else return
      }
    } finally {
      signal?.removeEventListener("abort", stop)
      try {
        if (taken !== undefined && !this.#ended) await this.#abandon(taken, number)
      } finally {
        end()
      }
    }
  }

  async count(): Promise<number> {
    this.#request({ type: "count" })
    const response = await this.#response()
    return response.type === "counted" ? response.count : 0
  }

  /** Of the whole store, not of a share. */
  check(): Promise<readonly string[]> {
    this.#check ??= new Promise((resolve, reject) => {
      this.#worker.on("message", (response: ThreadResponse) => {
        if (response.type === "checked") resolve(response.problems)
        if (response.type === "unchecked") reject(asError(response.error))
      })
      this.#worker.on("exit", () => reject(new Error(THREAD_HAS_ENDED)))
      if (this.#ended) reject(new Error(THREAD_HAS_ENDED))
      else this.#request({ type: "check" })
    })
    return this.#check
  }

  /** Ends also what is being read. */
  async close(): Promise<void> {
    if (this.#ended) return
    const exit = once(this.#worker, "exit")
    this.#request({ type: "close" })
    await exit
  }

  async #abandon(taken: readonly SharedArrayBuffer[], number: number): Promise<void> {
    this.#giveBack(taken)
    this.#request({ type: "stop", number })
    for (;;) {
      const response = await this.#response()
      if (response.type === "pages") this.#giveBack(response.memory)
      if (response.type === "done") return
    }
  }

  #giveBack(memory: readonly SharedArrayBuffer[]): void {
    this.#request({ type: "more", memory })
  }

  #request(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #receive(response: ThreadResponse): void {
    if (response.type === "checked" || response.type === "unchecked") return
    if (this.#waiting === undefined) this.#responses.push(response)
    else this.#waiting(response)
    this.#waiting = undefined
  }

  async #response(): Promise<ThreadResponse> {
    const response = this.#responses.shift() ?? (this.#ended ? ENDED : await this.#nextResponse())
    if (response.type === "failed") throw asError(response.error)
    return response
  }

  #nextResponse(): Promise<ThreadResponse> {
    return new Promise((resolve) => {
      this.#waiting = resolve
    })
  }
}

const THREAD_HAS_ENDED = "The thread that reads the store has ended"

const ENDED: ThreadResponse = { type: "failed", error: { message: THREAD_HAS_ENDED } }

function asError({ message, code }: ThreadFailure): Error {
  return code === undefined ? new Error(message) : new StorageError(code, message)
}
