import { existsSync } from "node:fs"
import type { LedgerTotals } from "@sessile/convert"
import type { ComparedSessions, MissingSession, ProjectSessions } from "../rescue/compare-sessions.js"
import type { RemovedRecords } from "../rescue/removed-records.js"
import type { RescuePlaces } from "../rescue/rescue-places.js"
import { formatAddress } from "../stores/store-address.js"
import { formatCount, formatCountOf, formatTime } from "./figures.js"
import { table } from "./layout.js"
import { type Line, styled } from "./line.js"
import { quoteArgument } from "./quote-argument.js"
import { bringBack, countSessions } from "./rescue-report.js"
import { joinSections, NAMED, restLine } from "./sections.js"

/** How many projects people are shown. */
const PROJECTS = 10

/** What is missing where, as people read it. */
export function rescuePlan(
  places: RescuePlaces,
  { projects, removed }: ComparedSessions,
  totals: LedgerTotals,
): Line[] {
  const { missing, both, databaseOnly } = countSessions(projects)
  const counts = [
    [missing, "in the JSON files only: opencode does not show them"],
    [both, "in both"],
    [databaseOnly, "in the database only"],
  ] as const
  const sections = [
    [
      styled("bold", "opencode's history"),
      `  JSON files  ${formatAddress(places.source)}`,
      `  database    ${formatAddress(places.target)}${places.isNew ? ", still to be made" : ""}`,
      ...places.others.map((path) => `  not used    ${path}; --database chooses it`),
    ],
    ["Sessions", ...table(counts, ["right", "left"]).map((line) => `  ${line}`)],
    ...projects
      .filter((project) => project.missing.length > 0)
      .slice(0, PROJECTS)
      .map(missingSection),
    removedSection(removed, places),
    [verdict(missing, totals)],
  ]
  return joinSections(sections)
}

function missingSection({ id, worktree, missing }: ProjectSessions): string[] {
  const named = missing.slice(0, NAMED).map(sessionLine)
  return [
    `Missing in ${worktree ?? `project ${id}`}: ${formatCount(missing.length)}`,
    ...named.map((line) => `  ${line}`),
    ...restLine(missing.length, named.length),
  ]
}

function removedSection(removed: readonly RemovedRecords[], places: RescuePlaces): string[] {
  if (removed.length === 0) return []
  const named = removed
    .slice(0, NAMED)
    .flatMap(({ id, title, keys }) => [
      `  ${formatCountOf(keys.length, "record")} of ${title ?? id}; to bring them back:`,
      `    ${bringBack(id, places)}`,
    ])
  return [
    "Left out, as opencode went on with these sessions and they may have been removed there:",
    ...named,
    ...restLine(removed.length, Math.min(removed.length, NAMED)),
  ]
}

function sessionLine({ id, title, updated }: MissingSession): string {
  return `${updated === null ? "at an unknown time" : formatTime(updated)}  ${title ?? id}`
}

function verdict(missing: number, { written, setAside }: LedgerTotals): string {
  if (written > 0) {
    const what = missing > 0 ? "To bring in" : "No session is missing as a whole. To bring in"
    return `${what}: ${formatCountOf(written, "record")}`
  }
  const rest =
    setAside > 0 ? "; what differs or cannot be read stays where it is (see sessile convert --dry-run)" : ""
  return `Nothing to do: the database has all that can be brought in${rest}.`
}

/** How to see in opencode what was brought in. */
export function whereToSee(projects: readonly ProjectSessions[]): Line[] {
  const folders = new Map<string, number>()
  for (const { worktree, missing } of projects) {
    for (const { directory } of missing) {
      // Sessions outside of repositories have a project whose folder is the root.
      const folder = worktree === null || worktree === "/" ? directory : worktree
      if (folder !== null) folders.set(folder, (folders.get(folder) ?? 0) + 1)
    }
  }
  const lines = [...folders].slice(0, PROJECTS).map(([folder, count]) => {
    const gone = existsSync(folder) ? "" : "; this folder is not there any more"
    return `  cd ${quoteArgument(folder)} && opencode session list   # ${formatCountOf(count, "session")}${gone}`
  })
  if (lines.length === 0) return []
  const how = "opencode shows the sessions of the project in whose folder it is started. To see them:"
  return ["", how, ...lines, ...restLine(folders.size, lines.length)]
}
