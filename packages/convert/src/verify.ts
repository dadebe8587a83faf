import { compareUtf8, decodeKey, type Key, type Storage, type TextRecord } from "@sessile/core/storage"
import { type Progress, ProgressMeter } from "./progress.js"
import type { ReadPage } from "./read-page.js"
import { isSound, type ReadRecord, type SoundRecord } from "./read-record.js"
import { isRecordSource, problemsOf, type RecordSource, storageSource } from "./record-source.js"
import { settle, type TextAccess, textAccess } from "./text-access.js"

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
  /**
   * Seen from the first store: `missing` is not in the second one, `extra` is in the second one only. `reduced` is the
   * same but for fields that one of the stores has no place for, or keeps its own of.
   */
  readonly kind: "missing" | "extra" | "different" | "reduced"
  /** The paths of these fields, such as `summary.note`. */
  readonly fields?: readonly string[] | undefined
}

/** How two stores compare. */
export interface Comparison {
  readonly equal: number
  readonly missing: number
  readonly extra: number
  readonly different: number
  readonly reduced: number
  readonly finished: boolean
  /** What is wrong with each of the stores as a whole (see `TextStorage.check`). */
  readonly problems: { readonly a: readonly string[]; readonly b: readonly string[] }
}

/**
 * Compares two stores of any kinds, record by record. Records are the same when opencode's files for them would
 * be, byte for byte; where one store cannot hold every form, as that store would hold them. Fields without a place there
 * are a difference (`reduced`). What cannot be read is the same as nothing. The times of the rows of a database (`row_times`) are not compared.
 *
 * @example
 * ```ts
 * const { missing, extra, different } = await verify({ a, b })
 * ```
 */
export async function verify(options: VerifyOptions): Promise<Comparison> {
  const counts = { equal: 0, missing: 0, extra: 0, different: 0, reduced: 0 }
  const meter = new ProgressMeter("verifying", undefined, options.onProgress)
  const a = new Cursor(options.a)
  const b = new Cursor(options.b)
  const report = (key: string, result: Result) => {
    counts[result.kind]++
    if (result.kind !== "equal") options.onDifference?.({ key: decodeKey(key), ...result })
  }
  try {
    let [left, right] = [await a.next(), await b.next()]
    while ((left !== undefined || right !== undefined) && !options.signal?.aborted) {
      const order = left === undefined ? 1 : right === undefined ? -1 : compareUtf8(left.key, right.key)
      if (order < 0) {
        const record = left as ReadRecord
        report(record.key, (await b.unlisted(record)) ?? { kind: "missing" })
      } else if (order > 0) {
        const record = right as ReadRecord
        report(record.key, (await a.unlisted(record)) ?? { kind: "extra" })
      } else report((left as ReadRecord).key, compare(left as ReadRecord, right as ReadRecord, a, b))
      if (order <= 0) left = a.buffered() ?? (await a.next())
      if (order >= 0) right = b.buffered() ?? (await b.next())
      meter.advance(1, 0)
    }
    const [ofA, ofB] = await Promise.all([problemsOf(a.source), problemsOf(b.source)])
    return { ...counts, finished: !options.signal?.aborted, problems: { a: ofA, b: ofB } }
  } finally {
    await a.close()
    await b.close()
  }
}

/** How one record compares. */
type Result = { readonly kind: "equal" } | Omit<Difference, "key">

function compare(left: ReadRecord, right: ReadRecord, a: Cursor, b: Cursor): Result {
  if (!isSound(left) || !isSound(right)) return { kind: "different" }
  if (left.sha256 === right.sha256) return { kind: "equal" }
  return a.compare(right, left) ?? b.compare(left, right) ?? { kind: "different" }
}

// When a database wrote its rows goes along with the conversation, and is no part of it: only some stores know it.
function isOfConversation({ key }: ReadRecord): boolean {
  return !key.startsWith("row_times\0")
}

/** Steps through the records of a store. */
class Cursor {
  readonly source: RecordSource
  readonly #pages: AsyncIterator<ReadPage>
  readonly #access: TextAccess | undefined
  #page: readonly ReadRecord[] = []
  #position = 0

  constructor(store: Storage | RecordSource) {
    this.source = isRecordSource(store) ? store : storageSource(store)
    this.#access = isRecordSource(store) ? undefined : textAccess(store)
    this.#pages = this.source.read({ take: "all" })[Symbol.asyncIterator]()
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

  /** How a record compares with what this store holds for it; `undefined` if that is something else. */
  compare(record: SoundRecord, held: TextRecord): Result | undefined {
    const access = this.#access
    if (access?.fit === undefined) return undefined
    const fitted = access.fit(record) ?? { text: record.text, lost: [] }
    if ("refused" in fitted) return undefined
    const expected = settle(access, { key: record.key, text: fitted.text })
    if (expected !== settle(access, held)) return undefined
    return fitted.lost.length === 0 ? { kind: "equal" } : { kind: "reduced", fields: fitted.lost }
  }

  /** The same for a record that this store does not list but may hold, as a store that alters records may. */
  async unlisted(record: ReadRecord): Promise<Result | undefined> {
    if (!isSound(record) || this.#access?.fit === undefined) return undefined
    const [entry] = await this.#access.readTexts([record.key])
    return entry !== undefined && "text" in entry ? this.compare(record, entry) : undefined
  }

  async close(): Promise<void> {
    await this.#pages.return?.()
  }
}
