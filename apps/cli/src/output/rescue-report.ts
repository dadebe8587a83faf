import type { ProjectSessions } from "../rescue/compare-sessions.js"
import type { RescuePlaces } from "../rescue/rescue-places.js"
import { formatAddress } from "../stores/store-address.js"

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
  projects: readonly ProjectSessions[],
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
  }
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
