import { compareUtf8, decodeKey, type Key, type Storage } from "@sessile/core/storage"
import { type Progress, ProgressMeter } from "./progress.js"
import type { ReadPage } from "./read-page.js"
import { digest, isSound, type ReadRecord } from "./read-record.js"
import { isRecordSource, type RecordSource, storageSource } from "./record-source.js"
import { type TextAccess, textAccess } from "./text-access.js"

/** Which stores to compare. */
export interface VerifyOptions {
  readonly a: Storage | RecordSource
  readonly b: Storage | RecordSource
  /** Called for each difference, in key order. */
  readonly onDifference?: ((difference: Difference) => void) | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** A record that is not the same in both stores. */
export interface Difference {
  readonly key: Key
  /** Seen from the first store: `missing` is not in the second one, `extra` is in the second one only. */
  readonly kind: "missing" | "extra" | "different"
}

/** How two stores compare. */
export interface Comparison {
  readonly equal: number
  readonly missing: number
  readonly extra: number
  readonly different: number
  readonly finished: boolean
}

/**
 * Compares two stores of any kinds, record by record. Records are the same when opencode's files for them would
 * be, byte for byte; where one store cannot hold every form, as that store would hold them. What cannot be read
 * is the same as nothing. The times of the rows of a database (`row_times`) are not compared.
 *
 * @example
 * ```ts
 * const { missing, extra, different } = await verify({ a, b })
 * ```
 */
export async function verify(options: VerifyOptions): Promise<Comparison> {
  const counts = { equal: 0, missing: 0, extra: 0, different: 0 }
  const meter = new ProgressMeter("verifying", undefined, options.onProgress)
  const a = new Cursor(options.a)
  const b = new Cursor(options.b)
  const report = (kind: Difference["kind"], key: string) => {
    counts[kind]++
    options.onDifference?.({ key: decodeKey(key), kind })
  }
  try {
    let [left, right] = [await a.next(), await b.next()]
    while ((left !== undefined || right !== undefined) && !options.signal?.aborted) {
      const order = left === undefined ? 1 : right === undefined ? -1 : compareUtf8(left.key, right.key)
      if (order < 0) {
        if (await b.holds(left as ReadRecord)) counts.equal++
        else report("missing", (left as ReadRecord).key)
      } else if (order > 0) {
        if (await a.holds(right as ReadRecord)) counts.equal++
        else report("extra", (right as ReadRecord).key)
      } else if (sameContent(left as ReadRecord, right as ReadRecord, a, b)) counts.equal++
      else report("different", (left as ReadRecord).key)
      if (order <= 0) left = a.buffered() ?? (await a.next())
      if (order >= 0) right = b.buffered() ?? (await b.next())
      meter.advance(1, 0)
    }
  } finally {
    await a.close()
    await b.close()
  }
  return { ...counts, finished: !options.signal?.aborted }
}

function sameContent(left: ReadRecord, right: ReadRecord, a: Cursor, b: Cursor): boolean {
  if (!isSound(left) || !isSound(right)) return false
  return left.sha256 === right.sha256 || a.fitted(right) === left.sha256 || b.fitted(left) === right.sha256
}

// When a database wrote its rows goes along with the conversation, and is no part of it: only some stores know it.
function isOfConversation({ key }: ReadRecord): boolean {
  return !key.startsWith("row_times\0")
}

/** Steps through the records of a store. */
class Cursor {
  readonly #pages: AsyncIterator<ReadPage>
  readonly #access: TextAccess | undefined
  #page: readonly ReadRecord[] = []
  #position = 0

  constructor(store: Storage | RecordSource) {
    const source = isRecordSource(store) ? store : storageSource(store)
    this.#access = isRecordSource(store) ? undefined : textAccess(store)
    this.#pages = source.read({ take: "all" })[Symbol.asyncIterator]()
  }

  /** The next record, if that takes no waiting. */
  buffered(): ReadRecord | undefined {
    return this.#page[this.#position++]
  }

  async next(): Promise<ReadRecord | undefined> {
    for (;;) {
      const page = await this.#pages.next()
      if (page.done) return undefined
      this.#page = page.value.records.filter(isOfConversation)
      this.#position = 0
      if (this.#page.length > 0) return this.buffered()
    }
  }

  /** The hash of what this store would give back for a record. */
  fitted(record: ReadRecord): string | undefined {
    if (!isSound(record) || this.#access?.fit === undefined) return undefined
    const fitted = this.#access.fit(record) ?? record
    return "text" in fitted ? digest(fitted.text) : undefined
  }

  /** Whether this store holds a record that it does not list, as one that alters records may. */
  async holds(record: ReadRecord): Promise<boolean> {
    const fitted = this.fitted(record)
    if (fitted === undefined) return false
    const [entry] = (await this.#access?.readTexts([record.key])) ?? []
    return entry !== undefined && "text" in entry && digest(entry.text) === fitted
  }

  async close(): Promise<void> {
    await this.#pages.return?.()
  }
}
