import { decodeKey, type Key } from "@sessile/core/storage"
import type { Ledger } from "./ledger.js"
import { isSound } from "./read-record.js"
import type { RecordSource } from "./record-source.js"

/** Media tell times of change with this many milliseconds of tolerance. */
const TIME_TOLERANCE = 2_000

/** How many records are looked up in a ledger together. */
const SUSPECTS = 20_000

/** Records that may have been changed, and their hashes as far as they can be read. */
type Suspects = Map<string, string | undefined>

/** Looks for records of a source that were changed, or added, after they had been read. */
export class ChangeSearch {
  readonly #suspects: AsyncGenerator<Suspects, void, void>
  readonly #end = new AbortController()
  #first: Promise<IteratorResult<Suspects, void>> | undefined

  /** `began` is when the source began to be read, in milliseconds. */
  constructor(source: RecordSource, began: number, signal?: AbortSignal) {
    const either = AbortSignal.any([this.#end.signal, ...(signal === undefined ? [] : [signal])])
    this.#suspects = suspectsOf(source, began - TIME_TOLERANCE, either)
  }

  /** Begins as soon as the source has given what it has been asked for so far. */
  begin(): void {
    this.#first ??= this.#suspects.next()
    // Whoever wants the result learns of it.
    this.#first.catch(() => undefined)
  }

  /** The keys of records that are not what a ledger says, which all of the source is in unless some of it was selected. */
  async changed(ledger: Ledger, isAll: boolean): Promise<Key[]> {
    this.begin()
    const changed: Key[] = []
    for (let next = await this.#first; next && !next.done; next = await this.#suspects.next()) {
      changed.push(...changedOf(next.value, ledger, isAll))
    }
    return changed
  }

  /** Ends it before its end. */
  giveUp(): void {
    this.#end.abort()
  }
}

async function* suspectsOf(
  source: RecordSource,
  since: number,
  signal: AbortSignal,
): AsyncGenerator<Suspects, void, void> {
  let suspects: Suspects = new Map()
  for await (const { records } of source.read({ take: "changed", since }, { signal })) {
    for (const record of records) suspects.set(record.key, isSound(record) ? record.sha256 : undefined)
    if (suspects.size < SUSPECTS) continue
    yield suspects
    suspects = new Map()
  }
  if (suspects.size > 0) yield suspects
}

function changedOf(suspects: Suspects, ledger: Ledger, isAll: boolean): Key[] {
  const changed: Key[] = []
  for (const page of ledger.entries()) {
    for (const { key, sha256 } of page) {
      if (suspects.has(key) && suspects.get(key) !== sha256) changed.push(decodeKey(key))
      suspects.delete(key)
    }
  }
  return isAll ? [...changed, ...[...suspects.keys()].map(decodeKey)] : changed
}
