import { decodeKey, type Key, type TextRecord } from "@sessile/core/storage"
import type { Ledger, LedgerEntry, LedgerGroup } from "./ledger.js"
import type { ProgressMeter } from "./progress.js"
import { digest, isSound } from "./read-record.js"
import type { RecordSource } from "./record-source.js"
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
  readonly source: RecordSource
  /** When the source began to be read, in milliseconds. */
  readonly began: number
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

/** Media tell times of change with this many milliseconds of tolerance. */
const TIME_TOLERANCE = 2_000

/** How many changes in the source are looked up in the ledger together. */
const SUSPECTS = 20_000

/**
 * Reads every record of a ledger back from the target, and looks for changes in the source since it was read;
 * `undefined` when it was told to stop.
 */
export async function verifyLedger(options: VerifyLedgerOptions): Promise<Verification | undefined> {
  const [readBack, changed] = await Promise.all([compareTarget(options), findChanges(options)])
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
  async holdsLines(group: LedgerGroup): Promise<boolean> {
    if (group.linesSha256 === undefined) return false
    const keys = group.keysOfLines()
    const digest = await this.#target.digestLines?.(keys)
    if (digest?.sha256 !== group.linesSha256) return false
    this.#count(keys.length, digest.bytes)
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

async function findChanges({ ledger, source, began, all, signal }: VerifyLedgerOptions): Promise<Key[]> {
  const changed: Key[] = []
  let suspects = new Map<string, string | undefined>()
  const judge = () => {
    changed.push(...changedOf(suspects, ledger, all))
    suspects = new Map()
  }
  for await (const { records } of source.read({ take: "changed", since: began - TIME_TOLERANCE })) {
    if (signal?.aborted) break
    for (const record of records) suspects.set(record.key, isSound(record) ? record.sha256 : undefined)
    if (suspects.size >= SUSPECTS) judge()
  }
  if (suspects.size > 0) judge()
  return changed
}

function changedOf(suspects: Map<string, string | undefined>, ledger: Ledger, all: boolean): Key[] {
  const changed: Key[] = []
  for (const page of ledger.entries()) {
    for (const { key, sha256 } of page) {
      if (suspects.has(key) && suspects.get(key) !== sha256) changed.push(decodeKey(key))
      suspects.delete(key)
    }
  }
  return all ? [...changed, ...[...suspects.keys()].map(decodeKey)] : changed
}
