import type { LedgerEntry } from "@sessile/convert"
import { decodeKey } from "@sessile/core/storage"
import type { ConversionRun } from "../commands/run-conversion.js"
import type { Rescue } from "../rescue/rescue.js"
import { verificationSection } from "./convert-summary.js"
import { formatCountOf } from "./figures.js"
import { formatKey } from "./layout.js"
import type { LedgerDigest } from "./ledger-digest.js"
import { type Line, styled } from "./line.js"
import { goBackCommand, seeCommands } from "./rescue-commands.js"
import { formatSessions, lostSection } from "./rescue-plan.js"
import { countSessions } from "./rescue-report.js"
import { joinSections, listSection, NAMED } from "./sections.js"

/** What a rescue has brought in, where to see it, and how to go back. */
export function rescueSummary(rescue: Rescue, { conversion }: ConversionRun, digest: LedgerDigest): Line[] {
  const { missing, missingChildren } = countSessions(rescue.projects)
  const { totals, problems, finished } = conversion
  const records = formatCountOf(totals.written, "record")
  const what = missing > 0 ? `${formatSessions(missing, missingChildren)}, ${records}` : records
  return joinSections([
    [styled("bold", finished ? `Brought in: ${what}` : `Interrupted after ${records}`)],
    lostSection(rescue, "Not brought in; these stay in the JSON files"),
    listSection(
      "Fields that opencode's database has no place for",
      digest.reducedCount,
      digest.reduced.map(fieldsLine),
    ),
    digest.completedCount === 0
      ? []
      : [`Completed with fields that opencode needs: ${formatCountOf(digest.completedCount, "record")}`],
    finished ? verificationSection(conversion, digest) : [],
    listSection("Wrong with the database as a whole", problems.length, problems.slice(0, NAMED)),
    ...(finished ? whereSections(rescue) : []),
    goBackSection(rescue),
  ])
}

function whereSections({ places, whereToSee }: Rescue): Line[][] {
  const { folders = [], unlisted = [] } = whereToSee ?? {}
  const plain = folders.filter(({ note }) => note === undefined)
  const noted = folders.filter(({ note }) => note !== undefined)
  const count = (sessions: number) => formatCountOf(sessions, "session")
  return [
    plain.length === 0
      ? []
      : [
          "To see them, start opencode in the folder of their project:",
          ...plain.map(
            (folder) => `  ${seeCommands(folder, places).join(" && ")}   # ${count(folder.sessions)}`,
          ),
        ],
    ...noted.map((folder) => [
      `${whyNoted(folder.folder, folder.note?.isNewRepository)} To see its ${count(folder.sessions)}:`,
      ...seeCommands(folder, places).map((command) => `  ${command}`),
    ]),
    unlisted.length === 0
      ? []
      : [
          styled("yellow", "In the database, but opencode lists them in no folder:"),
          ...unlisted.map(({ id, sessions, reason }) => `  ${count(sessions)} of project ${id}: ${reason}`),
        ],
  ]
}

function whyNoted(folder: string, isNewRepository = false): string {
  return isNewRepository
    ? `There is no repository in ${folder} any more.`
    : `opencode has another project id for ${folder} by now.`
}

function goBackSection(rescue: Rescue): string[] {
  const { attempt } = rescue
  if (attempt === undefined) return []
  const command = goBackCommand(rescue)
  if (command === undefined) return ["There is no way back: --no-backup was given."]
  if (attempt.backup === null) return ["To remove the new database, close opencode and run:", `  ${command}`]
  return [
    `Backup: ${attempt.backup}`,
    "To go back to the database as it was before, close opencode and run:",
    `  ${command}`,
  ]
}

function fieldsLine({ key, lost = [] }: LedgerEntry): string {
  return `${formatKey(decodeKey(key))}: ${lost.join(", ")}`
}
