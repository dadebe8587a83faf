import type { Comparison, Difference } from "@sessile/convert"
import { formatAddress, type StoreAddress } from "../stores/store-address.js"
import { formatCount, formatCountOf } from "./figures.js"
import { formatKey } from "./layout.js"
import { type Line, styled } from "./line.js"
import { damageSection } from "./sections.js"

/** What a comparison tells machines. */
export interface VerifyReport {
  readonly schemaVersion: 1
  readonly command: "verify"
  readonly a: string
  readonly b: string
  readonly finished: boolean
  readonly equal: number
  /** In `a` only. */
  readonly missing: number
  /** In `b` only. */
  readonly extra: number
  readonly different: number
  /** The same but for fields that one of the stores does not hold; `differences` names them. */
  readonly reduced: number
  readonly differences: readonly Difference[]
  /** What is wrong with each of the stores as a whole. */
  readonly problems: Comparison["problems"]
}

/** What a report is made of. */
export interface VerifyReportInput {
  readonly a: StoreAddress
  readonly b: StoreAddress
  readonly comparison: Comparison
  readonly differences: readonly Difference[]
}

export function verifyReport({ a, b, comparison, differences }: VerifyReportInput): VerifyReport {
  const { finished, equal, missing, extra, different, reduced, problems } = comparison
  const stores = { a: formatAddress(a), b: formatAddress(b) }
  const counts = { equal, missing, extra, different, reduced }
  return { schemaVersion: 1, command: "verify", ...stores, finished, ...counts, differences, problems }
}

/** A comparison as people read it. */
export function verifySummary(input: VerifyReportInput): Line[] {
  const { comparison, differences } = input
  const { equal, missing, extra, different, reduced, finished } = comparison
  const isEqual = missing + extra + different + reduced === 0
  const isWhole = comparison.problems.a.length + comparison.problems.b.length === 0
  const verdict = !finished
    ? styled("yellow", "Interrupted; so far:")
    : isEqual
      ? isWhole
        ? styled("green", "The two stores are equal")
        : styled("red", "What can be read of the two stores is equal, and one of them is damaged")
      : styled("red", "The two stores differ")
  const groups = [
    ["Only in the first store", "missing", missing],
    ["Only in the second store", "extra", extra],
    ["Different", "different", different],
    ["The same but for these fields, which one of the stores does not hold", "reduced", reduced],
  ] as const
  return [
    verdict,
    `  first   ${formatAddress(input.a)}`,
    `  second  ${formatAddress(input.b)}`,
    "",
    `  ${formatCountOf(equal, "record")} the same, ${formatCount(missing)} missing, ${formatCount(extra)} extra, ${formatCount(different + reduced)} different`,
    ...groups.flatMap(([title, kind, count]) => {
      const named = differences.filter((difference) => difference.kind === kind)
      if (count === 0) return []
      const more =
        count > named.length ? [`  … and ${formatCount(count - named.length)} more; --json names all`] : []
      return [
        "",
        `${title}: ${formatCount(count)}`,
        ...named.map(({ key, fields }) => `  ${formatKey(key)}${fields ? `: ${fields.join(", ")}` : ""}`),
        ...more,
      ]
    }),
    ...damageSection("The first store is damaged", comparison.problems.a),
    ...damageSection("The second store is damaged", comparison.problems.b),
  ]
}
