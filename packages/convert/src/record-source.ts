import { type Storage, StorageError } from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import { type OnForeign, type ReadingPlan, readPages } from "./reading.js"
import { textAccess } from "./text-access.js"
import { Turns } from "./turns.js"

/** How to read. */
export interface ReadOptions {
  readonly onForeign?: OnForeign | undefined
  /** Ends the pages early. */
  readonly signal?: AbortSignal | undefined
}

/** Where records are read from: a store in this thread, or threads of their own (see `ThreadedSource`). */
export interface RecordSource {
  /**
   * The records that a plan asks for, in pages; the texts of a page are there until the next one is asked for. What is
   * asked for before an earlier plan has come to its end follows it.
   */
  read(plan: ReadingPlan, options?: ReadOptions): AsyncIterable<ReadPage>
  /** How many records there are, told without reading them. */
  count(): Promise<number>
  /** What is wrong with the store as a whole, a sentence each (see `TextStorage.check`). */
  check(): Promise<readonly string[]>
}

/** Reads from a store in this thread. */
export function storageSource(storage: Storage): RecordSource {
  const access = textAccess(storage)
  const turns = new Turns()
  return {
    async *read(plan, { onForeign, signal } = {}) {
      const end = await turns.take()
      try {
        if (!signal?.aborted) yield* readPages(access, plan, onForeign)
      } finally {
        end()
      }
    },
    check: () => access.check(),
    count: async () => {
      let count = 0
      for await (const keys of access.scanKeys()) count += keys.length
      return count
    },
  }
}

export function isRecordSource(source: Storage | RecordSource): source is RecordSource {
  return "count" in source && !("scan" in source)
}

/** What is wrong with a source, where it can be checked, or that it cannot. */
export async function problemsOf(source: RecordSource): Promise<readonly string[]> {
  try {
    return await source.check()
  } catch (error) {
    if (StorageError.is(error)) return [`The store could not be checked: ${error.message}`]
    throw error
  }
}
