import type { KindCount, Orphans } from "@sessile/convert"
import type { ForeignFile, Key } from "@sessile/core/storage"
import { formatBytes, formatCount } from "./figures.js"
import { formatKey, table } from "./layout.js"
import { type Line, styled } from "./line.js"

/** How many records of each sort people are shown. */
export const NAMED = 5

/** A census, with what it adds up to. */
export interface KindCounts {
  readonly kinds: Readonly<Record<string, KindCount>>
  readonly records: number
  readonly bytes: number
}

/** Counts and sizes by kind, in columns, with the sum below. */
export function kindSection({ kinds, records, bytes }: KindCounts): string[] {
  const row = (kind: string, count: number, size: number) => [kind, count, formatBytes(size)] as const
  const rows = Object.entries(kinds).map(([kind, count]) => row(kind, count.records, count.bytes))
  if (rows.length === 0) return []
  return table([...rows, row("all", records, bytes)], ["left", "right", "right"]).map((line) => `  ${line}`)
}

/** A title with how many there are, and the first of them; nothing for none. */
export function listSection(title: string, count: number, lines: readonly string[]): string[] {
  if (count === 0) return []
  return [
    `${title}: ${formatCount(count)}`,
    ...lines.map((line) => `  ${line}`),
    ...restLine(count, lines.length),
  ]
}

/** Tells how many were not named. */
export function restLine(count: number, named: number): string[] {
  return count > named && named > 0 ? [`  … and ${formatCount(count - named)} more; --json names all`] : []
}

/** Records whose owners are missing. */
export function orphanSection({ sessions, messages, parts }: Orphans): string[] {
  const list = (title: string, keys: readonly Key[]) =>
    listSection(title, keys.length, keys.slice(0, NAMED).map(formatKey))
  return [
    ...list("Sessions without their project", sessions),
    ...list("Messages without their session, by session", messages),
    ...list("Parts without their message, by message", parts),
  ]
}

/** Sections as lines, with an empty line between them. */
export function joinSections(sections: readonly (readonly Line[])[]): Line[] {
  return sections
    .filter((section) => section.length > 0)
    .flatMap((section) => ["", ...section])
    .slice(1)
}

/** What is wrong with a store as a whole. */
export function damageSection(title: string, problems: readonly string[]): Line[] {
  if (problems.length === 0) return []
  return [
    styled("red", `${title}:`),
    ...problems.slice(0, NAMED).map((problem) => `  ${problem}`),
    ...restLine(problems.length, Math.min(NAMED, problems.length)),
  ]
}

/** A file that is no record. */
export function otherLine({ path, reason }: ForeignFile): string {
  return `${path}: ${reason}`
}
