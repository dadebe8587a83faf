import type { Worker } from "node:worker_threads"
import { compareUtf8 } from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import type { ReadRecord } from "./read-record.js"
import type { ReadingPlan } from "./reading.js"
import type { ReadOptions, RecordSource } from "./record-source.js"
import { startThread } from "./start-thread.js"
import { ThreadClient } from "./thread-client.js"

/** How to open a {@link ThreadedSource}. */
export interface ThreadedSourceOptions {
  /** The URL of a module whose export `openSource(argument)` opens the store, in each of the threads. */
  readonly module: string
  /** What `openSource` is given. */
  readonly argument: unknown
  /** How many threads divide the reading. A store that reads everything for each share gains by one only. */
  readonly threads: number
  /** One of them, where it was started already (see `startThread`). */
  readonly started?: Worker | undefined
}

/**
 * Reads, parses and hashes records in threads of their own, so that this one has only to write. Each thread
 * opens the store for itself and reads its share; pages come in key order.
 *
 * @example
 * ```ts
 * await using source = await ThreadedSource.open({ module, argument: "json:storage", threads: 2 })
 * await using conversion = await convert({ source, target })
 * ```
 */
export class ThreadedSource implements RecordSource, AsyncDisposable {
  readonly #threads: readonly ThreadClient[]

  private constructor(threads: readonly ThreadClient[]) {
    this.#threads = threads
  }

  /** Starts the threads and opens the store in each. Rejects with what `openSource` throws. */
  static async open(options: ThreadedSourceOptions): Promise<ThreadedSource> {
    const { module, argument, threads: count, started } = options
    const threads = Array.from({ length: count }, (_, index) => {
      const worker = (index === 0 ? started : undefined) ?? startThread()
      return new ThreadClient(worker, { module, argument, share: { index, count } })
    })
    const source = new ThreadedSource(threads)
    try {
      await Promise.all(threads.map((thread) => thread.opened()))
      return source
    } catch (error) {
      await source.close()
      throw error
    }
  }

  async *read(plan: ReadingPlan, options: ReadOptions = {}): AsyncGenerator<ReadPage, void, void> {
    const streams = this.#threads.map((thread) => thread.read(plan, options))
    try {
      if (plan.take === "all") yield* inKeyOrder(streams)
      else yield* inTurns(streams)
    } finally {
      await Promise.all(streams.map((stream) => stream.return()))
    }
  }

  async count(): Promise<number> {
    const counts = await Promise.all(this.#threads.map((thread) => thread.count()))
    return counts.reduce((sum, count) => sum + count, 0)
  }

  async check(): Promise<readonly string[]> {
    return (await this.#threads[0]?.check()) ?? []
  }

  async close(): Promise<void> {
    await Promise.all(this.#threads.map((thread) => thread.close()))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}

type Stream = AsyncGenerator<ReadPage, void, void>

/** Merges streams that are each in key order. */
async function* inKeyOrder(streams: readonly Stream[]): AsyncGenerator<ReadPage, void, void> {
  let heads = (await Promise.all(streams.map(headOf))).filter((head) => head !== undefined)
  while (heads.length > 1) {
    const merged: ReadRecord[] = []
    for (let first = smallest(heads); ; first = smallest(heads)) {
      merged.push(first.page[first.position++] as ReadRecord)
      if (first.position < first.page.length) continue
      yield { records: merged }
      const next = await headOf(first.stream)
      heads = heads.flatMap((head) => (head === first ? (next ?? []) : head))
      break
    }
  }
  for (const { stream, page, position } of heads) {
    yield { records: page.slice(position) }
    yield* stream
  }
}

/** A page of a stream, and how much of it has been taken. */
interface Head {
  readonly stream: Stream
  readonly page: readonly ReadRecord[]
  position: number
}

async function headOf(stream: Stream): Promise<Head | undefined> {
  const { done, value } = await stream.next()
  return done ? undefined : { stream, page: value.records, position: 0 }
}

function smallest(heads: readonly Head[]): Head {
  const keyOf = ({ page, position }: Head) => (page[position] as ReadRecord).key
  return heads.reduce((first, head) => (compareUtf8(keyOf(head), keyOf(first)) < 0 ? head : first))
}

async function* inTurns(streams: readonly Stream[]): AsyncGenerator<ReadPage, void, void> {
  // All of them begin at once, also where it takes long until one has something to give.
  let running = streams.map((stream) => ({ stream, next: ask(stream) }))
  while (running.length > 0) {
    for (const each of running) {
      const { done, value } = await each.next
      if (done) running = running.filter((other) => other !== each)
      else {
        yield value
        each.next = ask(each.stream)
      }
    }
  }
}

function ask(stream: Stream): Promise<IteratorResult<ReadPage, void>> {
  const next = stream.next()
  // Whoever waits for it learns of it.
  next.catch(() => undefined)
  return next
}
