import type { Conversion, LedgerEntry, LedgerTotals } from "@sessile/convert"
import { decodeKey, type ForeignFile } from "@sessile/core/storage"
import { ADAPTER, formatAddress, type StoreAddress } from "../stores/store-address.js"
import type { StorePart } from "../stores/store-kind.js"
import { storeKind } from "../stores/store-kinds.js"
import { formatCount, formatCountOf } from "./figures.js"
import { formatKey, formatReason } from "./layout.js"
import type { LedgerDigest } from "./ledger-digest.js"
import { type Line, styled } from "./line.js"
import { partLine, partReport } from "./part-report.js"
import { quoteArgument } from "./quote-argument.js"
import {
  damageSection,
  joinSections,
  kindSection,
  listSection,
  NAMED,
  orphanSection,
  otherLine,
  restLine,
} from "./sections.js"

/** What a summary is made of. */
export interface ConvertSummaryInput {
  readonly source: StoreAddress
  readonly parts: readonly StorePart[]
  readonly target: StoreAddress
  readonly conversion: Conversion
  readonly digest: LedgerDigest
  readonly others: readonly ForeignFile[]
  /** The folder of what was set aside. */
  readonly setAside: string
  /** Where the target is kept as it was. */
  readonly backup?: string | undefined
}

/** A conversion as people read it. No content of a record is ever shown. */
export function convertSummary(input: ConvertSummaryInput): Line[] {
  const { source, parts, target, conversion, digest, others, backup } = input
  const { totals, census, sourceProblems, problems, dryRun, finished } = conversion
  const sections = [
    [
      styled("bold", heading(conversion)),
      `  from  ${formatAddress(source)}`,
      ...parts.map((part) => `        ${partLine(partReport(part))}`),
      `  to    ${formatAddress(target)}`,
    ],
    backup === undefined ? [] : [`Backup: ${backup}`],
    [`  ${ledgerLine(totals, dryRun)}`],
    kindSection(census),
    setAsideSection(input),
    listSection(replacedTitle(input), digest.conflicts.replaced, []),
    listSection(
      "Fields that the target does not hold as in the source",
      digest.reducedCount,
      digest.reduced.map(reducedLine),
    ),
    listSection(
      "Completed with fields that opencode requires; they are not part of the record",
      digest.completedCount,
      digest.completed.map(completedLine),
    ),
    listSection("Not as opencode writes them; kept unchanged", digest.oddCount, digest.odd.map(oddLine)),
    // Owners that were not reached yet only seem to be missing.
    finished ? orphanSection(census.orphans) : [],
    listSection(
      "Files in the source that are not records",
      others.length,
      others.slice(0, NAMED).map(otherLine),
    ),
    damageSection("The source is damaged; what was on damaged pages may be missing", sourceProblems),
    finished && !dryRun ? verificationSection(conversion, digest) : [],
    listSection("Damage in the target", problems.length, problems.slice(0, NAMED)),
    finished && !dryRun ? nextSteps(target) : [],
  ]
  return joinSections(sections)
}

function heading({ dryRun, finished }: Conversion): string {
  if (!finished) return "Interrupted; so far:"
  return dryRun ? "Dry run: nothing was written. To be converted:" : "Converted"
}

function ledgerLine({ found, written, present, setAside }: LedgerTotals, dryRun: boolean): string {
  const sum = [
    `${formatCount(written)} ${dryRun ? "to write" : "written"}`,
    `${formatCount(present)} already there`,
    `${formatCount(setAside)} ${dryRun ? "to set aside" : "set aside"}`,
  ]
  return `${formatCount(found)} found = ${sum.join(" + ")}`
}

function setAsideSection({ conversion: { totals, dryRun }, digest, setAside }: ConvertSummaryInput): Line[] {
  if (totals.setAside === 0) return []
  const hasBytes = digest.setAside.some(({ kept }) => kept !== undefined)
  const what = `${dryRun ? "To be set aside" : "Set aside"}: ${formatCountOf(totals.setAside, "record")}`
  return [
    styled("yellow", hasBytes ? `${what}, with the bytes in ${setAside}` : what),
    ...digest.setAside.flatMap(({ key, reason = "" }) => [
      `  ${formatKey(decodeKey(key))}`,
      `    ${formatReason(reason, decodeKey(key))}`,
    ]),
    ...restLine(totals.setAside, digest.setAside.length),
  ]
}

function replacedTitle({ conversion: { dryRun }, setAside }: ConvertSummaryInput): string {
  if (dryRun) return "To be replaced in the target"
  return `Replaced in the target; the previous versions are in ${setAside}`
}

function oddLine({ key, remarks = [] }: LedgerEntry): string {
  return `${formatKey(decodeKey(key))}: ${remarks.join("; ")}`
}

function reducedLine({ key, lost = [] }: LedgerEntry): string {
  return `${formatKey(decodeKey(key))}: ${lost.join(", ")}`
}

function completedLine({ key, filled = [] }: LedgerEntry): string {
  return `${formatKey(decodeKey(key))}: ${filled.join(", ")}`
}

/** What reading everything back has shown. */
export function verificationSection(
  { verification, sourceProblems }: Pick<Conversion, "verification" | "sourceProblems">,
  { reducedCount }: LedgerDigest,
): Line[] {
  if (verification === undefined) return ["Not verified (--no-verify)."]
  const { compared, missing, different, changed } = verification
  const isGood = missing.length + different.length === 0
  const except = reducedCount > 0 ? ", but for the fields above" : ""
  const readBack = `${formatCountOf(compared, "record")} read back, identical to`
  const isWhole = sourceProblems.length === 0
  const verdict = isWhole
    ? `Verified: ${readBack} the source${except}.`
    : `Not complete because the source is damaged: ${readBack} what could be read from it${except}.`
  const lists = [
    ["Missing in the target", missing],
    ["Different in the target", different],
    ["Changed in the source during the conversion; run the same command again", changed],
  ] as const
  return [
    isGood ? styled(isWhole ? "green" : "yellow", verdict) : styled("red", "Verification failed."),
    ...lists.flatMap(([title, keys]) => listSection(title, keys.length, keys.slice(0, NAMED).map(formatKey))),
  ]
}

function nextSteps(target: StoreAddress): string[] {
  if (target.kind === ADAPTER) return []
  const address = quoteArgument(formatAddress(target))
  const look = storeKind(target.kind).lookCommand?.(target.path) ?? `sessile inspect ${address}`
  const back = target.kind === "json" ? [] : [`As JSON:  sessile convert ${address} json:DIR`]
  return [`Show it:  ${look}`, ...back]
}
