import type { Storage } from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import { type OnForeign, type ReadingPlan, readPages } from "./reading.js"
import { textAccess } from "./text-access.js"

/** Where records are read from: a store in this thread, or threads of their own (see `ThreadedSource`). */
export interface RecordSource {
  /** The records that a plan asks for, in pages; the texts of a page are there until the next one is asked for. */
  read(plan: ReadingPlan, onForeign?: OnForeign): AsyncIterable<ReadPage>
  /** How many records there are, told without reading them. */
  count(): Promise<number>
}

/** Reads from a store in this thread. */
export function storageSource(storage: Storage): RecordSource {
  const access = textAccess(storage)
  return {
    read: (plan, onForeign) => readPages(access, plan, onForeign),
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
