import { parentPort } from "node:worker_threads"
import {
  type ForeignFile,
  type Share,
  type Storage,
  StorageError,
  type TextEntry,
  type Utf8Record,
} from "@sessile/core/storage"
import { type FaultyRecord, hasUtf8, measure, takeRecord } from "./read-record.js"
import { entryPages, type ReadingPlan, takesWhole, wholeSessions } from "./reading.js"
import { SharedShelf } from "./shared-shelf.js"
import { packPage, type SourcePage, withMeasures } from "./source-page.js"
import { type TextAccess, textAccess } from "./text-access.js"
import { Turns } from "./turns.js"

/** What a thread is to read. */
export interface ThreadSetup {
  readonly module: string
  readonly argument: unknown
  readonly share: Share
}

/** What a thread is asked. */
export type ThreadRequest =
  | { readonly type: "open"; readonly setup: ThreadSetup }
  | { readonly type: "read"; readonly plan: ReadingPlan; readonly number: number }
  /** The memory of pages that were taken comes back to be filled again. */
  | { readonly type: "more"; readonly memory: readonly SharedArrayBuffer[] }
  /** The reading of this number is not to go on, or not to begin. */
  | { readonly type: "stop"; readonly number: number }
  | { readonly type: "count" }
  /** May be asked at any time; the answer comes between others. */
  | { readonly type: "check" }
  | { readonly type: "close" }

/** What a thread answers. */
export type ThreadResponse =
  | { readonly type: "opened" }
  | {
      readonly type: "pages"
      readonly pages: readonly SourcePage[]
      readonly memory: readonly SharedArrayBuffer[]
    }
  | { readonly type: "foreign"; readonly file: ForeignFile }
  | { readonly type: "done" }
  | { readonly type: "counted"; readonly count: number }
  | { readonly type: "checked"; readonly problems: readonly string[] }
  | { readonly type: "unchecked"; readonly error: ThreadFailure }
  | { readonly type: "failed"; readonly error: ThreadFailure }

/** An error that crosses threads, where only plain data can. */
export interface ThreadFailure {
  readonly message: string
  readonly code?: StorageError["code"] | undefined
}

/** How much is read ahead; one page always may be. */
const BYTES_AHEAD = 3 * 1024 * 1024

/** The same for whole sessions: they differ so much in size that both sides would often wait for each other. */
const BYTES_OF_SESSIONS_AHEAD = 8 * 1024 * 1024

/** Records are put into one page until they take this much. */
const PAGE_BYTES = 512 * 1024

/** Pages that take less than this are handed over together: a message costs as much as reading a few records. */
const MESSAGE_BYTES = 768 * 1024

/** Waits for what to read, and from then on for what to do. */
function main(): void {
  parentPort?.once("message", (request: ThreadRequest) => {
    if (request.type === "open") void answering(() => open(request.setup))
  })
}

async function open({ module, argument, share }: ThreadSetup): Promise<void> {
  const { openSource } = (await import(module)) as { openSource(argument: unknown): Promise<Storage> }
  const storage = await openSource(argument)
  const reader = new Reader(textAccess(storage), share)
  parentPort?.on("message", async (request: ThreadRequest) => {
    if (request.type === "more") reader.grant(request.memory)
    else if (request.type === "stop") reader.stop(request.number)
    else if (request.type === "read") await reader.read(request.plan, request.number)
    else if (request.type === "count") await answering(() => reader.count())
    else if (request.type === "check") await reader.check()
    else if (request.type === "close") {
      reader.end()
      await storage.close()
      parentPort?.close()
    }
  })
  answer({ type: "opened" })
}

class Reader {
  readonly #access: TextAccess
  readonly #share: Share
  readonly #shelf = new SharedShelf()
  readonly #turns = new Turns()
  #bytesAhead = BYTES_AHEAD
  #bytesUnderWay = 0
  #wake: (() => void) | undefined
  readonly #stopped = new Set<number>()
  #hasEnded = false

  constructor(access: TextAccess, share: Share) {
    this.#access = access
    this.#share = share
  }

  /** Reads what a plan asks for, after all that was asked for before. */
  async read(plan: ReadingPlan, number: number): Promise<void> {
    const end = await this.#turns.take()
    const isStopped = () => this.#hasEnded || this.#stopped.has(number)
    await answering(async () => {
      if (!isStopped()) await this.#read(plan, isStopped)
      if (!this.#hasEnded) answer({ type: "done" })
    })
    end()
  }

  async #read(plan: ReadingPlan, isStopped: () => boolean): Promise<void> {
    this.#shelf.clear()
    this.#bytesAhead = takesWhole(plan) ? BYTES_OF_SESSIONS_AHEAD : BYTES_AHEAD
    let pages: SourcePage[] = []
    for await (const page of this.#pages(plan)) {
      // Whoever still has pages leaves time for looking into this one here; otherwise they have more time than we do.
      pages.push(this.#isFarAhead() ? withMeasures(page, this.#shelf.pieces) : page)
      // Whoever has nothing left to do takes what there is.
      if (this.#bytesUnderWay > 0 && bytesOf(this.#shelf.pieces) < MESSAGE_BYTES) continue
      await this.#handOver(pages, isStopped)
      if (isStopped()) break
      pages = []
    }
    await this.#handOver(pages, isStopped)
  }

  async count(): Promise<void> {
    let count = 0
    for await (const keys of this.#access.scanKeys({ share: this.#share })) count += keys.length
    answer({ type: "counted", count })
  }

  async check(): Promise<void> {
    try {
      answer({ type: "checked", problems: await this.#access.check() })
    } catch (error) {
      answer({ type: "unchecked", error: failureOf(error) })
    }
  }

  grant(memory: readonly SharedArrayBuffer[]): void {
    this.#shelf.giveBack(memory)
    this.#bytesUnderWay -= bytesOf(memory)
    this.#wake?.()
  }

  stop(number: number): void {
    this.#stopped.add(number)
    this.#wake?.()
  }

  /** Stops everything. What has not come to its end never will. */
  end(): void {
    this.#hasEnded = true
    this.#wake?.()
  }

  async #handOver(pages: readonly SourcePage[], isStopped: () => boolean): Promise<void> {
    while (this.#isFarAhead() && !isStopped()) await new Promise<void>((wake) => (this.#wake = wake))
    if (isStopped() || pages.length === 0) return
    const memory = this.#shelf.clear()
    this.#bytesUnderWay += bytesOf(memory)
    answer({ type: "pages", pages, memory })
  }

  #pages(plan: ReadingPlan): AsyncGenerator<SourcePage, void, void> {
    const onForeign = (file: ForeignFile) => answer({ type: "foreign", file })
    if (takesWhole(plan)) return wholeSessions(this.#access, plan, this.#share, this.#shelf, onForeign)
    return this.#packed(entryPages(this.#access, plan, this.#share, { onForeign, shelf: this.#shelf.shelf }))
  }

  async *#packed(pages: AsyncIterable<readonly TextEntry[]>): AsyncGenerator<SourcePage, void, void> {
    for await (const page of gathered(pages)) yield packPage(this.#looked(page), this.#shelf)
  }

  // The same goes for records.
  #looked(page: Page): Page {
    return this.#isFarAhead() ? page.map(measure) : page
  }

  #isFarAhead(): boolean {
    return this.#bytesUnderWay >= this.#bytesAhead
  }
}

function bytesOf(memory: readonly { readonly byteLength: number }[]): number {
  return memory.reduce((sum, { byteLength }) => sum + byteLength, 0)
}

type Page = readonly (Utf8Record | FaultyRecord)[]

async function* gathered(pages: AsyncIterable<readonly TextEntry[]>): AsyncGenerator<Page, void, void> {
  let records: Page = []
  let bytes = 0
  for await (const entries of pages) {
    const page = entries.map(takeRecord)
    for (const record of page) bytes += hasUtf8(record) ? record.utf8.length : 0
    records = records.length === 0 ? page : records.concat(page)
    if (bytes < PAGE_BYTES) continue
    yield records
    records = []
    bytes = 0
  }
  if (records.length > 0) yield records
}

async function answering(action: () => Promise<void>): Promise<void> {
  try {
    await action()
  } catch (error) {
    answer({ type: "failed", error: failureOf(error) })
  }
}

function failureOf(error: unknown): ThreadFailure {
  if (StorageError.is(error)) return { message: error.message, code: error.code }
  return { message: error instanceof Error ? error.message : String(error) }
}

function answer(response: ThreadResponse): void {
  parentPort?.postMessage(response)
}

main()
