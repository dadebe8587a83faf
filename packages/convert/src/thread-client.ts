import { once } from "node:events"
import type { Worker } from "node:worker_threads"
import { StorageError } from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import type { OnForeign, ReadingPlan } from "./reading.js"
import { unpackPage } from "./source-page.js"
import type { ThreadFailure, ThreadRequest, ThreadResponse, ThreadSetup } from "./source-thread.js"

/** One thread that reads its share of a store, seen from outside. */
export class ThreadClient {
  readonly #worker: Worker
  readonly #responses: ThreadResponse[] = []
  #waiting: ((response: ThreadResponse) => void) | undefined
  #ended = false

  constructor(worker: Worker, setup: ThreadSetup) {
    this.#worker = worker
    worker.ref()
    this.#worker.on("message", (response: ThreadResponse) => this.#receive(response))
    this.#worker.on("error", (error) => this.#receive({ type: "failed", error: { message: error.message } }))
    this.#worker.on("exit", () => {
      this.#ended = true
      this.#receive({ type: "failed", error: { message: "The thread that reads the store has ended" } })
    })
    this.#request({ type: "open", setup })
  }

  async opened(): Promise<void> {
    await this.#response()
  }

  async *read(plan: ReadingPlan, onForeign?: OnForeign): AsyncGenerator<ReadPage, void, void> {
    this.#request({ type: "read", plan })
    let underWay = false
    try {
      for (;;) {
        // Anything but a page, an error above all, is the end of it.
        underWay = false
        const response = await this.#response()
        if (response.type === "foreign") onForeign?.(response.file)
        else if (response.type === "pages") {
          const { pages, memory } = response
          const pieces = memory.map((piece) => Buffer.from(piece))
          underWay = true
          for (const page of pages) yield unpackPage(page, pieces)
          this.#request({ type: "more", memory })
        } else return
      }
    } finally {
      if (underWay && !this.#ended) await this.#abandon()
    }
  }

  async count(): Promise<number> {
    this.#request({ type: "count" })
    const response = await this.#response()
    return response.type === "counted" ? response.count : 0
  }

  async close(): Promise<void> {
    if (this.#ended) return
    const exit = once(this.#worker, "exit")
    this.#request({ type: "close" })
    await exit
  }

  async #abandon(): Promise<void> {
    this.#request({ type: "stop" })
    while ((await this.#response()).type !== "done");
  }

  #request(request: ThreadRequest): void {
    this.#worker.postMessage(request)
  }

  #receive(response: ThreadResponse): void {
    if (this.#waiting === undefined) this.#responses.push(response)
    else this.#waiting(response)
    this.#waiting = undefined
  }

  async #response(): Promise<ThreadResponse> {
    const response =
      this.#responses.shift() ??
      (await new Promise<ThreadResponse>((resolve) => {
        this.#waiting = resolve
      }))
    if (response.type === "failed") throw asError(response.error)
    return response
  }
}

function asError({ message, code }: ThreadFailure): Error {
  return code === undefined ? new Error(message) : new StorageError(code, message)
}
