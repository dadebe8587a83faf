import type { Ledger, LedgerEntry } from "@sessile/convert"

/** What a person wants to know of a ledger. */
export interface LedgerDigest {
  /** The first records that were set aside. */
  readonly setAside: readonly LedgerEntry[]
  /** The first records that are kept, though something about them is odd. */
  readonly odd: readonly LedgerEntry[]
  readonly oddCount: number
  /** The first records that the target could not take with all their fields. */
  readonly reduced: readonly LedgerEntry[]
  readonly reducedCount: number
  /** The first records that the target completes for others who read it. */
  readonly completed: readonly LedgerEntry[]
  readonly completedCount: number
  readonly conflicts: ConflictCounts
}

/** How keys that the target held with other content were dealt with. */
export interface ConflictCounts {
  readonly skipped: number
  readonly replaced: number
}

const SET_ASIDE = 10
const OTHERS = 5

/** Goes through what is remarkable in a ledger, once. */
export function digestLedger(ledger: Ledger): LedgerDigest {
  const setAside: LedgerEntry[] = []
  const odd: LedgerEntry[] = []
  const reduced: LedgerEntry[] = []
  const completed: LedgerEntry[] = []
  const conflicts = { skipped: 0, replaced: 0 }
  let oddCount = 0
  let reducedCount = 0
  let completedCount = 0
  for (const page of ledger.remarkable()) {
    for (const entry of page) {
      if (entry.conflict !== undefined) conflicts[entry.conflict]++
      if (entry.outcome === "setAside") {
        if (setAside.length < SET_ASIDE) setAside.push(entry)
        continue
      }
      if (entry.remarks !== undefined && ++oddCount <= OTHERS) odd.push(entry)
      if (entry.lost !== undefined && ++reducedCount <= OTHERS) reduced.push(entry)
      if (entry.filled !== undefined && ++completedCount <= OTHERS) completed.push(entry)
    }
  }
  return { setAside, odd, oddCount, reduced, reducedCount, completed, completedCount, conflicts }
}
