import { decodeKey, type Key, type TextRecord } from "@sessile/core/storage"
import type { ChangeSearch } from "./change-search.js"
import type { Ledger, LedgerEntry, LedgerGroup } from "./ledger.js"
import type { ProgressMeter } from "./progress.js"
import { digest } from "./read-record.js"
import type { TextAccess } from "./text-access.js"

/** What reading everything back has shown. */
export interface Verification {
  /** How many records were read back from the target. */
  readonly compared: number
  /** Keys that the target does not hold, though they were written or there. */
  readonly missing: readonly Key[]
  /** Keys under which the target gives something else than what was read from the source. */
  readonly different: readonly Key[]
  /** Keys whose record in the source was changed, or added, after it had been read. */
  readonly changed: readonly Key[]
}

/** What {@link verifyLedger} compares. */
export interface VerifyLedgerOptions {
  readonly ledger: Ledger
  readonly target: TextAccess
  readonly search: ChangeSearch
  /** Whether every record of the source belongs into the ledger. */
  readonly all: boolean
  readonly meter: ProgressMeter
  readonly signal?: AbortSignal | undefined
}

/** So many records are read together, and so few are too few for that. */
const PAGE_KEYS = 500
const FEW_KEYS = 100

/** Of a record of which nothing is to be compared: it need not even be there. */
const NOTHING = digest("")

/**
 * Reads every record of a ledger back from the target, and waits for what was changed in the source since it was read;
 * `undefined` when it was told to stop.
 */
export async function verifyLedger(options: VerifyLedgerOptions): Promise<Verification | undefined> {
  const { search, ledger, all } = options
  const [readBack, changed] = await Promise.all([compareTarget(options), search.changed(ledger, all)])
  return options.signal?.aborted ? undefined : { ...readBack, changed }
}

async function compareTarget({ ledger, target, meter, signal }: VerifyLedgerOptions) {
  const readBack = new ReadBack(target, meter)
  let single: LedgerEntry[] = []
  for (const group of ledger.groups()) {
    if (signal?.aborted) break
    if (await readBack.holdsLines(group)) continue
    single = single.concat(group.entries().filter(({ outcome }) => outcome !== "setAside"))
    if (single.length < FEW_KEYS) continue
    await readBack.compare(single, signal)
    single = []
  }
  await readBack.compare(single, signal)
  const { compared, missing, different } = readBack
  return { compared, missing, different }
}

/** Compares what a target gives with what a ledger says. */
class ReadBack {
  readonly #target: TextAccess
  readonly #meter: ProgressMeter
  readonly missing: Key[] = []
  readonly different: Key[] = []
  compared = 0

  constructor(target: TextAccess, meter: ProgressMeter) {
    this.#target = target
    this.#meter = meter
  }

  /** Whether the records of a group are there as lines; if not, comparing each of them shows what is wrong. */
  async holdsLines({ written }: LedgerGroup): Promise<boolean> {
    if (written === undefined) return false
    const digest = await this.#target.digestLines?.(written.receipt)
    if (digest?.sha256 !== written.sha256) return false
    this.#count(written.count, digest.bytes)
    return true
  }

  async compare(entries: readonly LedgerEntry[], signal: AbortSignal | undefined): Promise<void> {
    for (let start = 0; start < entries.length && !signal?.aborted; start += PAGE_KEYS) {
      await this.#comparePage(entries.slice(start, start + PAGE_KEYS))
    }
  }

  async #comparePage(entries: readonly LedgerEntry[]): Promise<void> {
    const found = await this.#target.readTexts(entries.map(({ key }) => key))
    let bytes = 0
    for (const [index, { key, sha256, fittedSha256 = sha256 }] of entries.entries()) {
      const entry = found[index]
      if (entry === undefined && fittedSha256 === NOTHING) continue
      if (entry === undefined) this.missing.push(decodeKey(key))
      else if ("error" in entry || settledDigest(this.#target, entry) !== fittedSha256)
        this.different.push(decodeKey(key))
      else bytes += (entry.utf8 ?? entry.text).length
    }
    this.#count(entries.length, bytes)
  }

  #count(records: number, bytes: number): void {
    this.compared += records
    this.#meter.advance(records, bytes)
  }
}

function settledDigest(target: TextAccess, record: TextRecord): string {
  return digest(target.settle?.(record) ?? record.utf8 ?? record.text)
}
