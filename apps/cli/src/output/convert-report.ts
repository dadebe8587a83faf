import type { CensusResult, Conversion, LedgerEntry, LedgerTotals, Verification } from "@sessile/convert"
import { decodeKey, type ForeignFile, type Key } from "@sessile/core/storage"
import { formatAddress, type StoreAddress } from "../stores/store-address.js"
import type { StorePart } from "../stores/store-kind.js"
import type { ConflictCounts } from "./ledger-digest.js"
import { type PartReport, partReport } from "./part-report.js"

/** What a conversion tells machines, apart from its records, which follow as `records`. */
export interface ConvertReport {
  readonly schemaVersion: 1
  readonly command: "convert"
  readonly source: string
  /** The stores that the source is made of. */
  readonly parts: readonly PartReport[]
  readonly target: string
  readonly finished: boolean
  readonly dryRun: boolean
  readonly ledger: LedgerTotals
  /** Whether `found = written + present + setAside`. */
  readonly balanced: boolean
  readonly kinds: CensusResult["kinds"]
  readonly orphans: CensusResult["orphans"]
  /** Files in the tree of the source that are no records, and were left where they are. */
  readonly others: readonly ForeignFile[]
  readonly conflicts: ConflictCounts
  /** How many records the target does not hold with all their fields; `lost` in `records` names these. */
  readonly reduced: number
  /** What people should know about the target. */
  readonly warnings: readonly string[]
  /** Where the target is kept as it was; `null` when there is no copy. */
  readonly backup: string | null
  /** What is wrong with the source as a whole: what it has lost may be missing. */
  readonly sourceProblems: readonly string[]
  /** What is wrong with the target as a whole. */
  readonly problems: readonly string[]
  readonly verification: Verification | null
}

/** What a report is made of. */
export interface ConvertReportInput {
  readonly source: StoreAddress
  readonly parts: readonly StorePart[]
  readonly target: StoreAddress
  readonly conversion: Conversion
  readonly others: readonly ForeignFile[]
  readonly conflicts: ConflictCounts
  readonly reduced: number
  readonly warnings: readonly string[]
  readonly backup?: string | undefined
}

export function convertReport(input: ConvertReportInput): ConvertReport {
  const { source, parts, target, conversion, others, conflicts, reduced, warnings, backup } = input
  const { totals, census, finished, dryRun, verification, sourceProblems, problems } = conversion
  return {
    schemaVersion: 1,
    command: "convert",
    source: formatAddress(source),
    parts: parts.map(partReport),
    target: formatAddress(target),
    finished,
    dryRun,
    ledger: totals,
    balanced: totals.found === totals.written + totals.present + totals.setAside,
    kinds: census.kinds,
    orphans: census.orphans,
    others,
    conflicts,
    reduced,
    warnings,
    backup: backup ?? null,
    sourceProblems,
    problems,
    verification: verification ?? null,
  }
}

/** A report as JSON, in pieces: there may be more records than memory. */
export function* reportText(report: ConvertReport, { ledger }: Conversion): Generator<string, void, void> {
  yield `${JSON.stringify(report, null, 2).slice(0, -2)},\n  "records": [`
  let separator = "\n"
  for (const page of ledger.entries()) {
    yield separator + page.map((entry) => `    ${JSON.stringify(recordOf(entry))}`).join(",\n")
    separator = ",\n"
  }
  yield "\n  ]\n}\n"
}

function recordOf({ key, ...account }: LedgerEntry): { readonly key: Key } & Omit<LedgerEntry, "key"> {
  return { key: decodeKey(key), ...account }
}
