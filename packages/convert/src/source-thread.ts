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

/** What a thread is to read. */
export interface ThreadSetup {
  readonly module: string
  readonly argument: unknown
  readonly share: Share
}

/** What a thread is asked. */
export type ThreadRequest =
  | { readonly type: "open"; readonly setup: ThreadSetup }
  | { readonly type: "read"; readonly plan: ReadingPlan }
  /** The memory of the page that was taken comes back to be filled again. */
  | { readonly type: "more"; readonly pieces: readonly SharedArrayBuffer[] }
  | { readonly type: "stop" }
  | { readonly type: "count" }
  | { readonly type: "close" }

/** What a thread answers. */
export type ThreadResponse =
  | { readonly type: "opened" }
  | { readonly type: "page"; readonly page: SourcePage }
  | { readonly type: "foreign"; readonly file: ForeignFile }
  | { readonly type: "done" }
  | { readonly type: "counted"; readonly count: number }
  | { readonly type: "failed"; readonly error: ThreadFailure }

/** An error that crosses threads, where only plain data can. */
export interface ThreadFailure {
  readonly message: string
  readonly code?: StorageError["code"] | undefined
}

/** How much is read ahead; one page always may be. */
const BYTES_AHEAD = 3 * 1024 * 1024

/** The same for whole sessions: they differ so much in size that both sides would often wait for each other. */
const BYTES_OF_SESSIONS_AHEAD = 12 * 1024 * 1024

/** Small pages are handed over together until they hold this much. */
const PAGE_BYTES = 512 * 1024

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
    if (request.type === "more") reader.grant(request.pieces)
    else if (request.type === "stop") reader.stop()
    else if (request.type === "read") await answering(() => reader.read(request.plan))
    else if (request.type === "count") await answering(() => reader.count())
    else if (request.type === "close") {
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
  #bytesAhead = BYTES_AHEAD
  #bytesUnderWay = 0
  #wake: (() => void) | undefined
  #stopped = false

  constructor(access: TextAccess, share: Share) {
    this.#access = access
    this.#share = share
  }

  async read(plan: ReadingPlan): Promise<void> {
    this.#bytesUnderWay = 0
    this.#stopped = false
    this.#shelf.turn()
    this.#bytesAhead = takesWhole(plan) ? BYTES_OF_SESSIONS_AHEAD : BYTES_AHEAD
    for await (const page of this.#pages(plan)) {
      const packed = this.#hasTime() ? withMeasures(page) : page
      while (this.#isFarAhead() && !this.#stopped) await new Promise<void>((wake) => (this.#wake = wake))
      if (this.#stopped) break
      this.#bytesUnderWay += bytesOf(packed.pieces)
      answer({ type: "page", page: packed })
    }
    answer({ type: "done" })
  }

  async count(): Promise<void> {
    let count = 0
    for await (const keys of this.#access.scanKeys({ share: this.#share })) count += keys.length
    answer({ type: "counted", count })
  }

  grant(pieces: readonly SharedArrayBuffer[]): void {
    this.#shelf.giveBack(pieces)
    this.#bytesUnderWay -= bytesOf(pieces)
    this.#wake?.()
  }

  stop(): void {
    this.#stopped = true
    this.#wake?.()
  }

  #pages(plan: ReadingPlan): AsyncGenerator<SourcePage, void, void> {
    const onForeign = (file: ForeignFile) => answer({ type: "foreign", file })
    if (takesWhole(plan)) return wholeSessions(this.#access, plan, this.#share, this.#shelf, onForeign)
    return this.#packed(entryPages(this.#access, plan, this.#share, { onForeign, shelf: this.#shelf.shelf }))
  }

  async *#packed(pages: AsyncIterable<readonly TextEntry[]>): AsyncGenerator<SourcePage, void, void> {
    for await (const page of gathered(pages)) yield packPage(this.#looked(page), this.#shelf)
  }

  #looked(page: Page): Page {
    return this.#hasTime() ? page.map(measure) : page
  }

  /** Whether to look into what was read here: while others have nothing left to do they have more time than we do. */
  #hasTime(): boolean {
    return this.#bytesUnderWay >= this.#bytesAhead / 2
  }

  #isFarAhead(): boolean {
    return this.#bytesUnderWay >= this.#bytesAhead
  }
}

function bytesOf(pieces: readonly SharedArrayBuffer[]): number {
  return pieces.reduce((sum, { byteLength }) => sum + byteLength, 0)
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
