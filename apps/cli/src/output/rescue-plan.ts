import type { LedgerTotals } from "@sessile/convert"
import type { ProjectSessions } from "../rescue/compare-sessions.js"
import type { Rescue } from "../rescue/rescue.js"
import type { StoredSession } from "../rescue/stored-sessions.js"
import { wrapNotice } from "../stores/id-wrap.js"
import { formatCount, formatCountOf, formatTime } from "./figures.js"
import { formatKey, formatReason, table } from "./layout.js"
import { type Line, styled } from "./line.js"
import { bringBack, countSessions, type SessionCounts } from "./rescue-report.js"
import { joinSections, listSection, NAMED, restLine } from "./sections.js"

/** How many projects people are shown. */
const PROJECTS = 10

/** What is missing, and what a rescue would bring in. */
export function rescuePlan(rescue: Rescue, totals: LedgerTotals): Line[] {
  const { places, projects } = rescue
  const counts = countSessions(projects)
  const withMissing = projects.filter(({ missing }) => missing.length > 0)
  return joinSections([
    [
      styled("bold", "opencode's history"),
      `  JSON files  ${places.source.path}`,
      `  database    ${places.target.path}${places.isNew ? " (new)" : ""}`,
      ...places.others.map((path) => `  not used    ${path}; choose it with --database`),
    ],
    ["Sessions", ...countLines(counts)],
    ...withMissing.slice(0, PROJECTS).map(missingSection),
    restLine(withMissing.length, Math.min(withMissing.length, PROJECTS)),
    deletedSection(rescue, counts),
    removedSection(rescue),
    lostSection(rescue, "Cannot be brought in"),
    listSection(
      "The database is damaged, and may hold more than can be read",
      rescue.damage.length,
      rescue.damage.slice(0, NAMED),
    ),
    wrapSection(rescue),
    [verdict(rescue, counts, totals)],
  ])
}

/** Sessions as people count them: subagent sessions are not listed by opencode. */
export function formatSessions(count: number, children: number): string {
  const subagents = formatCountOf(children, "subagent session")
  if (children === 0) return formatCountOf(count, "session")
  if (count === children) return subagents
  return `${formatCountOf(count - children, "session")} (and ${subagents})`
}

/** Records that could not be brought in, with the reasons. */
export function lostSection({ findings: { lost, lostCount, blank } }: Rescue, title: string): Line[] {
  const blanks = `${formatCountOf(blank.size, "session")} without any content in the JSON files: opencode shows nothing in ${blank.size === 1 ? "it" : "them"}`
  return [
    ...(lostCount === 0 ? [] : [styled("yellow", `${title}: ${formatCountOf(lostCount, "record")}`)]),
    ...lost.flatMap(({ key, reason }) => [`  ${formatKey(key)}`, `    ${formatReason(reason, key)}`]),
    ...restLine(lostCount, lost.length),
    ...(blank.size === 0 ? [] : [styled("yellow", blanks)]),
  ]
}

function countLines({ missing, missingChildren, deleted, both, databaseOnly }: SessionCounts): string[] {
  const rows = [
    [missing - missingChildren, "not shown by opencode: only in the JSON files"],
    ...(missingChildren === 0
      ? []
      : [[missingChildren, `subagent ${missingChildren === 1 ? "session" : "sessions"} of these`] as const]),
    ...(deleted === 0 ? [] : [[deleted, "deleted in opencode: only in the JSON files"] as const]),
    [both, "in both"],
    [databaseOnly, "only in the database"],
  ] as const
  return table(rows, ["right", "left"]).map((line) => `  ${line}`)
}

function missingSection({ id, worktree, missing }: ProjectSessions): string[] {
  const roots = missing.filter(({ parent }) => parent === null)
  const named = roots.slice(0, NAMED).map((session) => `  ${sessionLine(session)}`)
  const count = formatSessions(missing.length, missing.length - roots.length)
  return [
    `Not shown by opencode, project ${worktree ?? id}: ${count}`,
    ...named,
    ...restLine(roots.length, named.length),
  ]
}

function deletedSection({ projects, hints }: Rescue, { deleted: count }: SessionCounts): string[] {
  const deleted = projects.flatMap((project) => project.deleted)
  if (count === 0) return []
  return [
    `Deleted in opencode, and left out: ${formatCountOf(count, "session")}. To bring ${count === 1 ? "it" : "them"} back:`,
    ...deleted
      .slice(0, NAMED)
      .flatMap((session) => [`  ${sessionLine(session)}`, `    ${bringBack(hints, session.id)}`]),
    ...restLine(count, Math.min(count, NAMED)),
    ...(count === 1 ? [] : ["  All of them", `    ${bringBack(hints)}`]),
  ]
}

function removedSection({ removed, hints }: Rescue): string[] {
  if (removed.length === 0) return []
  const named = removed
    .slice(0, NAMED)
    .flatMap(({ id, title, keys }) => [
      `  ${formatCountOf(keys.length, "record")} of ${title ?? id}`,
      `    ${bringBack(hints, id)}`,
    ])
  return [
    "Removed in opencode from sessions used since, and left out. To bring back:",
    ...named,
    ...restLine(removed.length, Math.min(removed.length, NAMED)),
  ]
}

function wrapSection({ sessionsBeforeWrap }: Rescue): string[] {
  const notice = wrapNotice(sessionsBeforeWrap.length)
  return notice === undefined ? [] : [`${notice}.`]
}

function sessionLine({ id, title, updated }: StoredSession): string {
  return `${updated === null ? "at an unknown time" : formatTime(updated)}  ${title ?? id}`
}

function verdict({ findings }: Rescue, counts: SessionCounts, { written }: LedgerTotals): string {
  const { missing, missingChildren, deleted } = counts
  if (written === 0) {
    const all = deleted > 0 ? "all other sessions" : "all sessions"
    return `Nothing to do: the database has ${all}${findings.lostCount > 0 ? " that can be read" : ""}.`
  }
  const records = formatCountOf(written, "record")
  if (missing > 0) return `To bring in: ${formatSessions(missing, missingChildren)}, ${records}`
  return `The database has all sessions, but lacks ${records} of them.`
}

/** What people are asked before anything is written. */
export function rescueQuestion({ projects }: Rescue, { written }: LedgerTotals): string {
  const { missing, missingChildren } = countSessions(projects)
  const what =
    missing > 0
      ? formatSessions(missing, missingChildren)
      : `${formatCount(written)} missing ${written === 1 ? "record" : "records"}`
  return `Bring ${what} into the database?`
}
