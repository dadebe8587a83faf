import { decodeKey, type ForeignFile, type Key, type Storage } from "@sessile/core/storage"
import { Census, type CensusResult } from "./census.js"
import { Foreign } from "./foreign.js"
import { type Progress, ProgressMeter } from "./progress.js"
import { isSound } from "./read-record.js"
import { isRecordSource, problemsOf, type RecordSource, storageSource } from "./record-source.js"

/** Which store to look into. */
export interface InspectOptions {
  readonly store: Storage | RecordSource
  /** Called for each record that is damaged or odd, in no particular order. */
  readonly onAnomaly?: ((anomaly: Anomaly) => void) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** Something about a record that its owner should know. */
export interface Anomaly {
  readonly key: Key
  /** `damaged` cannot be read; `odd` can, but is not as opencode writes it. */
  readonly kind: "damaged" | "odd"
  readonly reason: string
}

/** What a store holds, and what is wrong with it. */
export interface Inspection extends CensusResult {
  readonly damaged: number
  readonly odd: number
  /** What lies in the store without being a record, sorted by path. */
  readonly foreign: readonly ForeignFile[]
  readonly finished: boolean
  /** What is wrong with the store as a whole (see `TextStorage.check`): what it has lost is not among the records. */
  readonly problems: readonly string[]
}

/**
 * Reads a whole store and tells what it holds.
 *
 * @example
 * ```ts
 * const { kinds, oldest, newest, orphans, straddlesWrap } = await inspect({ store })
 * ```
 */
export async function inspect(options: InspectOptions): Promise<Inspection> {
  const source = isRecordSource(options.store) ? options.store : storageSource(options.store)
  const meter = new ProgressMeter("reading", undefined, options.onProgress)
  const census = new Census()
  const foreign = new Foreign()
  let damaged = 0
  let odd = 0
  for await (const { records } of source.read({ take: "all" }, { onForeign: (file) => foreign.add(file) })) {
    if (options.signal?.aborted) break
    let bytes = 0
    for (const record of records) {
      const key = decodeKey(record.key)
      if (!isSound(record)) {
        damaged++
        options.onAnomaly?.({ key, kind: "damaged", reason: record.reason })
        continue
      }
      census.add(record)
      bytes += record.bytes
      if (record.facts?.remarks === undefined) continue
      odd++
      for (const reason of record.facts.remarks) options.onAnomaly?.({ key, kind: "odd", reason })
    }
    meter.advance(records.length, bytes)
  }
  const finished = !options.signal?.aborted
  const problems = await problemsOf(source)
  return { ...census.result(), damaged, odd, foreign: foreign.result(), finished, problems }
}
