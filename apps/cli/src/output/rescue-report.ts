import type { ComparedSessions, ProjectSessions } from "../rescue/compare-sessions.js"
import type { RescuePlaces } from "../rescue/rescue-places.js"
import { formatAddress } from "../stores/store-address.js"
import { quoteArgument } from "./quote-argument.js"

/** What a rescue came to: nothing was missing, a plan only, a plan that somebody turned down, or all of it. */
export type RescueOutcome = "nothing" | "planned" | "declined" | "done" | "interrupted"

/** What a rescue tells machines, apart from its conversion, which follows as `conversion`. */
export interface RescueReport {
  readonly schemaVersion: 1
  readonly command: "rescue"
  readonly outcome: RescueOutcome
  readonly source: string
  readonly target: string
  /** Whether the database was still to be made. */
  readonly newDatabase: boolean
  readonly otherDatabases: readonly string[]
  /** How many sessions were where. */
  readonly sessions: SessionCounts
  readonly projects: readonly ProjectSessions[]
  /** What opencode may have removed from sessions that it went on with: it was left out. */
  readonly removed: readonly RemovedSummary[]
}

/** What was left out of a session, and how to bring it back. */
export interface RemovedSummary {
  readonly id: string
  readonly title: string | null
  readonly records: number
  readonly command: string
}

/** How many sessions are where. */
export interface SessionCounts {
  readonly missing: number
  readonly both: number
  readonly databaseOnly: number
}

export function rescueReport(
  outcome: RescueOutcome,
  { source, target, isNew, others }: RescuePlaces,
  { projects, removed }: ComparedSessions,
): RescueReport {
  return {
    schemaVersion: 1,
    command: "rescue",
    outcome,
    source: formatAddress(source),
    target: formatAddress(target),
    newDatabase: isNew,
    otherDatabases: others,
    sessions: countSessions(projects),
    projects,
    removed: removed.map(({ id, title, keys }) => ({
      id,
      title,
      records: keys.length,
      command: bringBack(id, { source, target }),
    })),
  }
}

/** The command that brings in all of a session, also what may have been removed from it. */
export function bringBack(id: string, { source, target }: Pick<RescuePlaces, "source" | "target">): string {
  const places = [source, target].map((place) => quoteArgument(formatAddress(place)))
  return `sessile convert --session ${quoteArgument(id)} ${places.join(" ")}`
}

export function countSessions(projects: readonly ProjectSessions[]): SessionCounts {
  const sum = (count: (project: ProjectSessions) => number) =>
    projects.reduce((total, project) => total + count(project), 0)
  return {
    missing: sum(({ missing }) => missing.length),
    both: sum(({ both }) => both),
    databaseOnly: sum(({ databaseOnly }) => databaseOnly),
  }
}

/** A report as JSON, in pieces, with the report of the conversion in it. */
export function* rescueText(
  report: RescueReport,
  conversion: Iterable<string>,
): Generator<string, void, void> {
  yield `${JSON.stringify(report, null, 2).slice(0, -2)},\n  "conversion": `
  yield* conversion
  yield "}\n"
}
