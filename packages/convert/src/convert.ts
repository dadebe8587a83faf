import { checkOptions, decodeKey, type ForeignFile, type Key, type Storage } from "@sessile/core/storage"
import { Census, type CensusResult } from "./census.js"
import { ChangeSearch } from "./change-search.js"
import { ConflictError, type ConflictPolicy } from "./conflict.js"
import { Foreign } from "./foreign.js"
import { Ledger, type LedgerTotals } from "./ledger.js"
import { type Progress, ProgressMeter } from "./progress.js"
import { type ReadPage, sizeOf } from "./read-page.js"
import type { ReadingPlan } from "./reading.js"
import { isRecordSource, problemsOf, type RecordSource, storageSource } from "./record-source.js"
import type { SessionSelection } from "./session-selection.js"
import type { SetAsideFolder } from "./set-aside.js"
import { type TextAccess, textAccess } from "./text-access.js"
import { Transfer } from "./transfer.js"
import { type Verification, verifyLedger } from "./verify-ledger.js"

/** What to convert, and how. */
export interface ConvertOptions {
  /** Read from here, and never written to. */
  readonly source: Storage | RecordSource
  readonly target: Storage
  /** What to do about keys under which the target holds other content; `"fail"` by default. */
  readonly onConflict?: ConflictPolicy | undefined
  /** Refuse, before anything is written, when a record would have to be set aside. */
  readonly strict?: boolean | undefined
  /** Read everything back from the target and compare it; on by default. */
  readonly verify?: boolean | undefined
  /** Write nothing, and tell what would be written. */
  readonly dryRun?: boolean | undefined
  /** Only these sessions and what belongs to them. */
  readonly select?: SessionSelection | undefined
  /** Where to keep the raw bytes of what is set aside or replaced. */
  readonly setAside?: SetAsideFolder | undefined
  /** Called once, right before anything is written to the target; not at all when there is nothing to write. */
  readonly beforeWrite?: (() => Promise<void>) | undefined
  /** Count the records first, so that progress has a total. */
  readonly count?: boolean | undefined
  readonly onProgress?: ((progress: Progress) => void) | undefined
  /** Stops between two pages of records; what was written stays, and the next run goes on from there. */
  readonly signal?: AbortSignal | undefined
  /** The time, in milliseconds; `Date.now` by default. */
  readonly now?: (() => number) | undefined
}

/** What came of a conversion. Its ledger lies in a temporary file until it is closed. */
export interface Conversion extends AsyncDisposable {
  readonly totals: LedgerTotals
  readonly ledger: Ledger
  readonly census: CensusResult
  /** What lies in the source without being a record, sorted by path; not told where sessions were selected. */
  readonly foreign: readonly ForeignFile[]
  /** Whether everything was gone through; not so after an abort. */
  readonly finished: boolean
  readonly dryRun: boolean
  /** What reading everything back has shown; `undefined` when that was not asked for or not come to. */
  readonly verification?: Verification | undefined
  /** What is wrong with the source as a whole: what it has lost may be missing without being set aside. */
  readonly sourceProblems: readonly string[]
  /** What is wrong with the target as a whole (see `TextStorage.check`). */
  readonly problems: readonly string[]
}

/** What a conversion would have had to set aside, when that was not to happen. */
export class SetAsideError extends Error {
  override readonly name = "SetAsideError"
  /** The first of them, with the reasons. */
  readonly records: readonly { readonly key: Key; readonly reason: string }[]

  constructor(records: SetAsideError["records"], count: number) {
    const what = count === 1 ? "One record" : `${count} records`
    super(`${what} would be set aside; nothing was written`)
    this.records = records
  }
}

/** How many conflicts or set-aside records an error names. */
const NAMED = 10

/**
 * Brings every record of one store into another, exactly as it is, and accounts for each. The source is only
 * read; the target loses nothing. It can be killed at any moment and run again: what is there already stays.
 *
 * @throws ConflictError with `onConflict: "fail"`, SetAsideError with `strict`, both before anything is written
 * unless somebody else writes to the target meanwhile; StorageError when a store fails as a whole
 *
 * @example
 * ```ts
 * await using conversion = await convert({ source, target })
 * const { found, written, present, setAside } = conversion.totals
 * ```
 */
export async function convert(options: ConvertOptions): Promise<Conversion> {
  checkOptions("convert", options, {
    source: "object",
    target: "object",
    onConflict: ["fail", "skip", "newer", "replace"],
    strict: "boolean?",
    verify: "boolean?",
    dryRun: "boolean?",
    select: "object?",
    setAside: "object?",
    beforeWrite: "function?",
    count: "boolean?",
    onProgress: "function?",
    signal: "object?",
    now: "function?",
  })
  return new Run(options).convert()
}

class Run {
  readonly #options: ConvertOptions
  readonly #source: RecordSource
  readonly #target: TextAccess
  readonly #policy: ConflictPolicy
  #beforeWrite: (() => Promise<void>) | undefined
  #total: number | undefined

  constructor(options: ConvertOptions) {
    this.#options = options
    this.#source = isRecordSource(options.source) ? options.source : storageSource(options.source)
    this.#target = textAccess(options.target)
    this.#policy = options.onConflict ?? "fail"
    this.#beforeWrite = options.beforeWrite
  }

  async convert(): Promise<Conversion> {
    const { dryRun = false, strict = false, verify = true, now = Date.now } = this.#options
    const began = now()
    if (this.#options.count && this.#options.select === undefined) this.#total = await this.#source.count()
    if (dryRun) return { ...(await this.#check()), dryRun, sourceProblems: await problemsOf(this.#source) }
    if (strict || (this.#policy === "fail" && !(await this.#targetIsEmpty()))) {
      const { ledger, totals } = await this.#check()
      await ledger.close()
      // A target may count what it was asked about as there: it cannot be asked once more before it is written to.
      const announce = this.#beforeWrite
      this.#beforeWrite = undefined
      if (totals.written > 0) await announce?.()
    }

    const search = verify ? new ChangeSearch(this.#source, began, this.#options.signal) : undefined
    try {
      const conversion = await this.#pass("converting", () => search?.begin())
      return conversion.finished ? await this.#finish(conversion, search) : conversion
    } finally {
      search?.giveUp()
    }
  }

  async #finish(conversion: Conversion, search: ChangeSearch | undefined): Promise<Conversion> {
    try {
      const [verification, sourceProblems, problems] = await Promise.all([
        search && this.#verify(conversion, search),
        problemsOf(this.#source),
        this.#target.check(),
        this.#target.flush(),
      ])
      const finished = !search || verification !== undefined
      return { ...conversion, finished, verification, sourceProblems, problems }
    } catch (error) {
      await conversion.ledger.close()
      throw error
    }
  }

  #verify({ ledger, totals }: Conversion, search: ChangeSearch): Promise<Verification | undefined> {
    return verifyLedger({
      ledger,
      target: this.#target,
      search,
      all: this.#options.select === undefined,
      meter: this.#meter("verifying", totals.found),
      signal: this.#options.signal,
    })
  }

  /** Refuses what would fail, before anything is written. */
  async #check(): Promise<Conversion> {
    const conversion = await this.#pass("checking")
    if (!this.#options.strict || conversion.totals.setAside === 0) return conversion
    const named: { key: Key; reason: string }[] = []
    for (const page of conversion.ledger.remarkable()) {
      for (const { key, outcome, reason = "" } of page) {
        if (outcome === "setAside" && named.length < NAMED) named.push({ key: decodeKey(key), reason })
      }
    }
    await conversion.ledger.close()
    throw new SetAsideError(named, conversion.totals.setAside)
  }

  /** Goes through the source once. `onLastAsked` is called when nothing more will be asked of it. */
  async #pass(phase: "checking" | "converting", onLastAsked?: () => void): Promise<Conversion> {
    const ledger = await Ledger.create()
    try {
      const census = new Census()
      const setAside = phase === "converting" ? this.#options.setAside : undefined
      const transfer = new Transfer(
        this.#target,
        ledger,
        this.#policy,
        phase === "checking",
        setAside,
        this.#beforeWrite,
      )
      const foreign = new Foreign()
      const handle = (page: ReadPage) => {
        census.addPage(page)
        return transfer.move(page)
      }
      const finished = await this.#goThrough(phase, foreign, handle, onLastAsked)
      this.#refuseConflicts(transfer)
      const close = () => ledger.close()
      const { totals } = ledger
      return {
        totals,
        ledger,
        census: census.result(),
        foreign: foreign.result(),
        finished,
        dryRun: false,
        sourceProblems: [],
        problems: [],
        [Symbol.asyncDispose]: close,
      }
    } catch (error) {
      await ledger.close()
      throw error
    }
  }

  #refuseConflicts({ conflicts }: Transfer): void {
    if (this.#policy !== "fail" || conflicts.length === 0) return
    throw new ConflictError(conflicts.slice(0, NAMED).map(decodeKey), conflicts.length)
  }

  /** Hands over all pages, one after the other; `false` when it was told to stop before the end. */
  async #goThrough(
    phase: Progress["phase"],
    foreign: Foreign,
    handle: (page: ReadPage) => Promise<void>,
    onLastAsked?: () => void,
  ): Promise<boolean> {
    const meter = this.#meter(phase, this.#total)
    const plans = this.#plans()
    for (const plan of plans) {
      for await (const page of this.#source.read(plan, { onForeign: (file) => foreign.add(file) })) {
        if (this.#options.signal?.aborted) return false
        if (plan === plans.at(-1)) onLastAsked?.()
        await handle(page)
        const { records, bytes } = sizeOf(page)
        meter.advance(records, bytes)
      }
    }
    return !this.#options.signal?.aborted
  }

  #plans(): ReadingPlan[] {
    const { select: selection } = this.#options
    const whole = this.#target.sessionKinds
    if (selection === undefined && whole === undefined) return [{ take: "all" }]
    return [
      { take: "projects", selection },
      { take: "sessions", selection, whole },
    ]
  }

  async #targetIsEmpty(): Promise<boolean> {
    for await (const keys of this.#target.scanKeys()) if (keys.length > 0) return false
    return true
  }

  #meter(phase: Progress["phase"], total: number | undefined): ProgressMeter {
    return new ProgressMeter(phase, total, this.#options.onProgress)
  }
}
