import type { Anomaly } from "@sessile/convert"
import { formatTime } from "./figures.js"
import type { InspectReport, ProjectLine } from "./inspect-report.js"
import { formatKey, formatReason, table } from "./layout.js"
import { type Line, styled } from "./line.js"
import { partLine } from "./part-report.js"
import {
  damageSection,
  joinSections,
  kindSection,
  listSection,
  NAMED,
  orphanSection,
  otherLine,
} from "./sections.js"

/** How many projects people are shown. */
const PROJECTS = 20

/** What a store holds, as people read it. */
export function inspectSummary(report: InspectReport): Line[] {
  const anomaliesOf = (kind: Anomaly["kind"]) =>
    report.anomalies
      .filter((anomaly) => anomaly.kind === kind)
      .slice(0, NAMED)
      .map(anomalyLine)
  const sections = [
    headSection(report),
    schemaSection(report),
    kindSection(report),
    projectSection(report.projects),
    damageSection("The store is damaged; what was on damaged pages is not counted here", report.problems),
    listSection("Cannot be read", report.damaged, anomaliesOf("damaged")),
    listSection("Not as opencode writes them, but readable", report.odd, anomaliesOf("odd")),
    // Owners that were not reached yet only seem to be missing.
    report.finished ? orphanSection(report.orphans) : [],
    listSection(
      "Files in the store that are not records",
      report.others.length,
      report.others.slice(0, NAMED).map(otherLine),
    ),
    wrapSection(report),
  ]
  return joinSections(sections)
}

function headSection(report: InspectReport): Line[] {
  const version = report.version === null ? "" : `, version ${report.version}`
  const time = (text: string | null) => (text === null ? "unknown" : formatTime(Date.parse(text)))
  return [
    styled("bold", report.store),
    ...report.parts.map((part) => `  ${partLine(part)}`),
    `  layout  ${report.layout}${version}`,
    `  oldest  ${time(report.oldest)}`,
    `  newest  ${time(report.newest)}`,
    ...(report.finished ? [] : [styled("yellow", "  Interrupted; so far:")]),
  ]
}

function schemaSection({ schema }: InspectReport): string[] {
  if (schema === null) return []
  const { takenOverBy2, unknownTables, unknownColumns, obstacle } = schema
  return [
    ...(takenOverBy2
      ? ["opencode 2.x has imported these sessions already, and does not show what is added later."]
      : []),
    ...(obstacle === null ? [] : [`Can be read, but not written to: ${obstacle}.`]),
    ...listSection("Unknown tables, left unchanged", unknownTables.length, unknownTables),
    ...listSection("Unknown columns, left unchanged", unknownColumns.length, unknownColumns),
  ]
}

function projectSection(projects: readonly ProjectLine[]): string[] {
  const shown = projects.toSorted((a, b) => b.sessions - a.sessions).slice(0, PROJECTS)
  const rows = shown.map(({ id, worktree, sessions }) => [sessions, id, worktree ?? ""] as const)
  return listSection("Projects, with their sessions", projects.length, table(rows, ["right", "left", "left"]))
}

function anomalyLine({ key, reason }: Anomaly): string {
  return `${formatKey(key)}: ${formatReason(reason, key)}`
}

function wrapSection({ wrap: { straddles, at, sessions, notice } }: InspectReport): string[] {
  return [
    ...(notice === null ? [] : [`${notice}.`]),
    ...(straddles
      ? [
          `Ids from both sides of a wrap: ${at.join(", ")}`,
          "  opencode's ids began again then: newer ids sort before older ones.",
          "  A program that sorts by id alone gets the order wrong. Sessile sorts by time; nothing needs repair.",
        ]
      : []),
    ...listSection("Sessions with messages from both sides", sessions.length, sessions.slice(0, NAMED)),
  ]
}
