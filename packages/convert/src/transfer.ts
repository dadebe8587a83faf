import type { TextEntry } from "@sessile/core/storage"
import { type ConflictPolicy, shouldReplace } from "./conflict.js"
import type { Ledger, LedgerEntry } from "./ledger.js"
import { plainLine } from "./ledger-lines.js"
import { digestLines } from "./lines-digest.js"
import type { ReadLines } from "./read-lines.js"
import { type ReadPage, sizeOf } from "./read-page.js"
import { digest, type FaultyRecord, isSound, type ReadRecord, type SoundRecord } from "./read-record.js"
import type { SetAsideFolder } from "./set-aside.js"
import { settle, type TextAccess } from "./text-access.js"

/** A record that can be moved. */
interface Candidate {
  readonly record: SoundRecord
  /** What the target will give back, settled, where that is not just the record. */
  readonly fitted?: string
  /** What is to be said of that. */
  readonly alterations?: Partial<LedgerEntry>
}

/** Moves pages of records into a target, or only tells what would become of them, and keeps the ledger. */
export class Transfer {
  readonly #target: TextAccess
  readonly #ledger: Ledger
  readonly #policy: ConflictPolicy
  readonly #dry: boolean
  readonly #setAside: SetAsideFolder | undefined
  #beforeWrite: (() => Promise<void>) | undefined
  /** The keys that stopped a conversion which was to fail at conflicts. */
  readonly conflicts: string[] = []

  constructor(
    target: TextAccess,
    ledger: Ledger,
    policy: ConflictPolicy,
    dry: boolean,
    setAside: SetAsideFolder | undefined,
    beforeWrite: (() => Promise<void>) | undefined,
  ) {
    this.#target = target
    this.#ledger = ledger
    this.#policy = policy
    this.#dry = dry
    this.#setAside = setAside
    this.#beforeWrite = beforeWrite
  }

  async move(page: ReadPage): Promise<void> {
    this.#ledger.find(sizeOf(page).records)
    const { lines } = page
    const candidates = await this.#candidates(page.records)
    if (lines === undefined) return this.#addAll(candidates)
    const unfit = this.#target.fitLines?.(lines)
    if (unfit === undefined)
      return this.#addAll([...candidates, ...(await this.#candidates(lines.records()))])
    const ofLine = (position: number): Candidate => {
      const record = lines.record(position)
      return unfit.has(position) ? (this.#fit(record) as Candidate) : { record }
    }
    if (this.#dry || this.#beforeWrite !== undefined) {
      const ofLines = Array.from({ length: lines.length }, (_, position) => ofLine(position))
      return this.#addAll([...candidates, ...ofLines])
    }
    await this.#addSession(candidates, lines, unfit, ofLine)
  }

  /** Those of some records that can be moved; the others are put aside. */
  async #candidates(records: readonly ReadRecord[]): Promise<Candidate[]> {
    const candidates: Candidate[] = []
    for (const record of records) {
      const candidate = isSound(record) ? this.#fit(record) : record
      if ("record" in candidate) candidates.push(candidate)
      else await this.#putAside(candidate, isSound(record) ? { sha256: record.sha256 } : {})
    }
    return candidates
  }

  async #addAll(candidates: readonly Candidate[]): Promise<void> {
    const records = candidates.map(({ record }) => record)
    const present = this.#dry ? await this.#rehearse(records) : await this.#addTexts(records)
    await this.#accountAll(candidates, present)
  }

  /** Adds records. Until the first of them all is missing in the target, nothing is written. */
  async #addTexts(records: readonly SoundRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    if (this.#beforeWrite !== undefined) {
      const present = await this.#rehearse(records)
      if (!present.includes(undefined)) return present
      await this.#announceWrite()
    }
    return this.#target.addTexts(records)
  }

  async #announceWrite(): Promise<void> {
    const announce = this.#beforeWrite
    this.#beforeWrite = undefined
    await announce?.()
  }

  async #addSession(
    candidates: readonly Candidate[],
    lines: ReadLines,
    unfit: ReadonlySet<number>,
    ofLine: (position: number) => Candidate,
  ): Promise<void> {
    const { addSession } = this.#target as Required<TextAccess>
    const records = candidates.map(({ record }) => record)
    const present = await addSession.call(this.#target, records, lines, unfit)
    await this.#accountAll(candidates, present.records)
    const { receipt } = present
    if (present.lines.size === 0 && unfit.size === 0 && !lines.isRemarkable()) {
      const { accounts, linesSha256: sha256 } = lines.measure()
      return this.#ledger.addLines(accounts, { count: lines.length, sha256, receipt })
    }
    const accounts: string[] = []
    for (let position = 0; position < lines.length; position++) {
      const inTheWay = present.lines.get(position)
      if (inTheWay !== undefined) await this.#account(ofLine(position), inTheWay)
      else if (unfit.has(position) || lines.facts(position)?.remarks !== undefined)
        this.#add("written", ofLine(position))
      else accounts.push(plainLine("written", lines.key(position), lines.sha256(position)))
    }
    if (accounts.length === 0) return
    const isAsItIs = (position: number) => !unfit.has(position) && !present.lines.has(position)
    const sha256 = digestLines(lines, isAsItIs)
    this.#ledger.addLines(accounts.join(""), { count: accounts.length, sha256, receipt })
  }

  async #accountAll(
    candidates: readonly Candidate[],
    present: readonly (TextEntry | undefined)[],
  ): Promise<void> {
    for (const [index, candidate] of candidates.entries()) {
      const inTheWay = present[index]
      if (inTheWay === undefined) this.#add("written", candidate)
      else await this.#account(candidate, inTheWay)
    }
  }

  #fit(record: SoundRecord): Candidate | FaultyRecord {
    const fitted = this.#target.fit?.(record)
    if (fitted === undefined) return { record }
    if ("refused" in fitted) return { key: record.key, reason: fitted.refused, text: record.text }
    const { text, lost, filled = [] } = fitted
    const settled = settle(this.#target, { key: record.key, text })
    const alterations = {
      ...(settled === record.text ? {} : { fittedSha256: digest(settled) }),
      ...(lost.length > 0 ? { lost } : {}),
      ...(filled.length > 0 ? { filled } : {}),
    }
    return { record, fitted: settled, alterations }
  }

  async #rehearse(records: readonly SoundRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    const { rehearseTexts } = this.#target
    if (rehearseTexts !== undefined) return rehearseTexts.call(this.#target, records)
    return this.#target.readTexts(records.map(({ key }) => key))
  }

  #add(outcome: "written" | "present", candidate: Candidate): void {
    this.#ledger.add({ key: candidate.record.key, outcome, ...notesOf(candidate) })
  }

  async #account(candidate: Candidate, present: TextEntry): Promise<void> {
    const { record, fitted } = candidate
    const { key } = record
    const notes = notesOf(candidate)
    if ("text" in present && settle(this.#target, present) === (fitted ?? record.text)) {
      return this.#add("present", candidate)
    }
    if ("error" in present && REFUSALS.includes(present.error.code)) {
      return this.#putAside({ key, reason: present.error.message, text: record.text }, notes)
    }
    if (this.#policy === "fail") {
      this.conflicts.push(key)
      return this.#ledger.add({ key, outcome: "setAside", reason: OTHER_CONTENT, ...notes })
    }
    if (shouldReplace(this.#policy, record, present)) await this.#replace(record, present, notes)
    else
      await this.#putAside(
        { key, reason: OTHER_CONTENT, text: record.text },
        { ...notes, conflict: "skipped" },
      )
  }

  async #replace(record: SoundRecord, present: TextEntry, notes: Partial<LedgerEntry>): Promise<void> {
    const previous = "text" in present ? present : { ...present, reason: "" }
    const kept = await this.#setAside?.keepSafely(previous as FaultyRecord)
    if (!this.#dry) {
      await this.#announceWrite()
      await this.#target.writeTexts([record])
    }
    this.#ledger.add({ key: record.key, outcome: "written", conflict: "replaced", ...notes, ...where(kept) })
  }

  async #putAside(record: FaultyRecord, notes: Partial<LedgerEntry> = {}): Promise<void> {
    const kept = await this.#setAside?.keep(record)
    this.#ledger.add({
      key: record.key,
      outcome: "setAside",
      reason: record.reason,
      ...notes,
      ...where(kept),
    })
  }
}

function notesOf({ record: { sha256, facts }, alterations }: Candidate): Partial<LedgerEntry> {
  return { sha256, ...(facts?.remarks ? { remarks: facts.remarks } : {}), ...alterations }
}

/** What a target says of a record that it cannot take; any other error is about what is in the way. */
const REFUSALS = ["INVALID_KEY", "INVALID_VALUE"]

const OTHER_CONTENT = "The target holds other content under this key"

function where(kept: string | undefined): Partial<LedgerEntry> {
  return kept === undefined ? {} : { kept }
}
