import type { Anomaly, Inspection, KindCount, Orphans } from "@sessile/convert"
import type { ForeignFile } from "@sessile/core/storage"
import type { OpencodeSchema } from "@sessile/opencode-db"
import { lastWrap, WRAP, wrapNotice } from "../stores/id-wrap.js"
import { formatAddress, type StoreAddress } from "../stores/store-address.js"
import type { StoreDescription, StorePart } from "../stores/store-kind.js"
import { type PartReport, partReport } from "./part-report.js"

/** A project of a store. */
export interface ProjectLine {
  readonly id: string
  /** `null` when the store does not say. */
  readonly worktree: string | null
  readonly sessions: number
}

/** What an inspection tells machines. */
export interface InspectReport {
  readonly schemaVersion: 1
  readonly command: "inspect"
  readonly store: string
  /** The stores that it is made of. */
  readonly parts: readonly PartReport[]
  readonly kind: string
  readonly layout: string
  /** The marker of opencode's files, or the version of the schema; `null` when there is none. */
  readonly version: number | null
  /** What is known of the tables of opencode's own database; `null` for other stores. */
  readonly schema: SchemaReport | null
  readonly finished: boolean
  readonly records: number
  readonly bytes: number
  readonly kinds: Readonly<Record<string, KindCount>>
  /** The earliest and the latest time of a session or message, in ISO 8601; `null` when there is none. */
  readonly oldest: string | null
  readonly newest: string | null
  readonly projects: readonly ProjectLine[]
  /** How many records cannot be read, and how many are not as opencode writes them. */
  readonly damaged: number
  readonly odd: number
  /** What is wrong with the store as a whole. */
  readonly problems: readonly string[]
  readonly anomalies: readonly Anomaly[]
  /** Files that are no records, with the reason; links out of the store are among them. */
  readonly others: readonly ForeignFile[]
  readonly orphans: Orphans
  readonly wrap: WrapReport
}

/** The tables of opencode's own database. */
export interface SchemaReport extends Omit<OpencodeSchema, "obstacle" | "importedAt"> {
  /** Why nothing can be written; `null` when it can. */
  readonly obstacle: string | null
  /** When opencode's own import ran, in ISO 8601; `null` when it did not. */
  readonly importedAt: string | null
}

/** Whether the ids of a store can be ordered. */
export interface WrapReport {
  /** Whether there are ids from both sides of a wrap, so that newer ones sort before older ones. */
  readonly straddles: boolean
  /** When ids began anew within the time of the store, in ISO 8601. */
  readonly at: readonly string[]
  /** The sessions whose messages have ids from both sides. */
  readonly sessions: readonly string[]
  /** How many sessions have messages from before the last wrap. */
  readonly sessionsBefore: number
  /** What that means for the release of opencode to continue them with; `null` when there are none. */
  readonly notice: string | null
}

/** What a report is made of. */
export interface InspectReportInput {
  readonly address: StoreAddress
  readonly parts: readonly StorePart[]
  readonly description: StoreDescription
  readonly inspection: Inspection
  readonly projects: readonly ProjectLine[]
  readonly anomalies: readonly Anomaly[]
}

export function inspectReport({
  address,
  parts,
  description,
  inspection,
  projects,
  anomalies,
}: InspectReportInput): InspectReport {
  const { schema } = description
  const { finished, records, bytes, kinds, oldest, newest, damaged, odd, problems, orphans } = inspection
  const sessionsBefore = sessionsBeforeWrap(inspection.sessionsByWindow)
  return {
    schemaVersion: 1,
    command: "inspect",
    store: formatAddress(address),
    parts: parts.map(partReport),
    kind: address.kind,
    layout: description.layout,
    version: description.version ?? null,
    schema:
      schema === undefined
        ? null
        : { ...schema, obstacle: schema.obstacle ?? null, importedAt: isoTime(schema.importedAt) },
    finished,
    records,
    bytes,
    kinds,
    oldest: isoTime(oldest),
    newest: isoTime(newest),
    projects,
    damaged,
    odd,
    problems,
    anomalies,
    others: inspection.foreign,
    orphans,
    wrap: {
      straddles: inspection.straddlesWrap,
      at: inspection.straddlesWrap ? wrapsBetween(oldest, newest) : [],
      sessions: inspection.sessionsAcrossWrap,
      sessionsBefore,
      notice: wrapNotice(sessionsBefore) ?? null,
    },
  }
}

// Sixteen wraps are 35 years: times beyond that are made up.
const MOST_WRAPS = 16

function wrapsBetween(oldest = 0, newest = 0): string[] {
  const first = Math.floor(oldest / WRAP) + 1
  const last = Math.min(Math.floor(newest / WRAP), first + MOST_WRAPS - 1)
  const wraps: string[] = []
  for (let wrap = first; wrap <= last; wrap++) wraps.push(isoTime(wrap * WRAP) ?? "")
  return wraps
}

function sessionsBeforeWrap(sessionsByWindow: Readonly<Record<number, number>>): number {
  const current = lastWrap(Date.now()) / WRAP
  const earlier = Object.entries(sessionsByWindow).filter(([window]) => Number(window) < current)
  return earlier.reduce((sum, [, sessions]) => sum + sessions, 0)
}

function isoTime(time: number | undefined): string | null {
  const date = new Date(time ?? Number.NaN)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}
