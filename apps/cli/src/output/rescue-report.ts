import { resolve } from "node:path"
import type { ProjectSessions } from "../rescue/compare-sessions.js"
import type { Rescue } from "../rescue/rescue.js"
import type { RescueHints, SkippedFile } from "../rescue/rescue-places.js"
import { formatAddress } from "../stores/store-address.js"
import { quoteArgument } from "./quote-argument.js"
import { goBackCommand, seeCommands } from "./rescue-commands.js"

/** How a rescue ended: nothing was missing, a dry run, an answer of no, or all of it. */
export type RescueOutcome = "nothing" | "planned" | "declined" | "done" | "interrupted"

/** The result of a rescue as JSON, apart from its conversion, which follows as `conversion`. */
export interface RescueReport {
  readonly schemaVersion: 1
  readonly command: "rescue"
  readonly outcome: RescueOutcome
  readonly source: string
  readonly target: string
  /** Whether the database did not exist before. */
  readonly newDatabase: boolean
  readonly otherDatabases: readonly string[]
  readonly skippedFiles: readonly SkippedFile[]
  readonly sessions: SessionCounts
  readonly projects: readonly ProjectReport[]
  /** What opencode removed from sessions that it went on with: it is not brought back. */
  readonly removed: readonly RemovedSummary[]
  /** How many records could not be brought in. */
  readonly lost: number
  /** What was wrong with the database as a whole before anything was written. */
  readonly damage: readonly string[]
  /** The sessions that opencode shows without any content. */
  readonly blankSessions: readonly string[]
  /** The sessions that only opencode 1.18.15 or later continues. */
  readonly sessionsBeforeWrap: readonly string[]
  /** Where opencode lists what was brought in. */
  readonly listedIn: readonly { folder: string; sessions: number; commands: readonly string[] }[]
  /** What was brought in and is listed nowhere. */
  readonly notListed: readonly { project: string; sessions: number; reason: string }[]
  /** The command that makes the database what it was before; `null` when there is none. */
  readonly goBack: string | null
}

/** The sessions of a project, by where they are. */
export interface ProjectReport extends Pick<ProjectSessions, "id" | "worktree" | "both" | "databaseOnly"> {
  readonly missing: readonly SessionReport[]
  readonly deleted: readonly (SessionReport & { readonly command: string })[]
}

/** A session that only the JSON files have. */
export interface SessionReport {
  readonly id: string
  readonly title: string | null
  readonly directory: string | null
  /** In milliseconds. */
  readonly updated: number | null
  readonly parent: string | null
}

/** What opencode removed from a session, and the command that brings it back. */
export interface RemovedSummary {
  readonly id: string
  readonly title: string | null
  readonly records: number
  readonly command: string
}

/** How many sessions are where. */
export interface SessionCounts {
  /** In the JSON files only, and to be brought in. */
  readonly missing: number
  /** How many of these are subagent sessions, which opencode does not list. */
  readonly missingChildren: number
  readonly deleted: number
  readonly both: number
  readonly databaseOnly: number
}

export function rescueReport(outcome: RescueOutcome, rescue: Rescue): RescueReport {
  const { places, hints, projects, removed, findings, damage, sessionsBeforeWrap, whereToSee } = rescue
  return {
    schemaVersion: 1,
    command: "rescue",
    outcome,
    source: formatAddress(places.source),
    target: formatAddress(places.target),
    newDatabase: places.isNew,
    otherDatabases: places.others,
    skippedFiles: places.skipped,
    sessions: countSessions(projects),
    projects: projects.map((project) => projectReport(project, hints)),
    removed: removed.map(({ id, title, keys }) => ({
      id,
      title,
      records: keys.length,
      command: bringBack(hints, id),
    })),
    lost: findings.lostCount,
    damage,
    blankSessions: [...findings.blank],
    sessionsBeforeWrap,
    listedIn: (whereToSee?.folders ?? []).map((folder) => ({
      folder: folder.folder,
      sessions: folder.sessions,
      commands: seeCommands(folder, places),
    })),
    notListed: (whereToSee?.unlisted ?? []).map(({ id, sessions, reason }) => ({
      project: id,
      sessions,
      reason,
    })),
    goBack: goBackCommand(rescue) ?? null,
  }
}

/** The command that brings in a session that was deleted, or all of them. */
export function bringBack({ data, database }: RescueHints, session?: string): string {
  const options = [
    ...(data === undefined ? [] : ["--data", resolve(data)]),
    ...(database === undefined ? [] : ["--database", resolve(database)]),
    ...(session === undefined ? ["--include-deleted"] : ["--session", session]),
  ]
  return ["sessile", "rescue", ...options].map(quoteArgument).join(" ")
}

export function countSessions(projects: readonly ProjectSessions[]): SessionCounts {
  const sum = (count: (project: ProjectSessions) => number) =>
    projects.reduce((total, project) => total + count(project), 0)
  return {
    missing: sum(({ missing }) => missing.length),
    missingChildren: sum(({ missing }) => missing.filter(({ parent }) => parent !== null).length),
    deleted: sum(({ deleted }) => deleted.length),
    both: sum(({ both }) => both),
    databaseOnly: sum(({ databaseOnly }) => databaseOnly),
  }
}

/** A report as JSON, in chunks, with the report of the conversion in it. */
export function* rescueText(
  report: RescueReport,
  conversion: Iterable<string>,
): Generator<string, void, void> {
  yield `${JSON.stringify(report, null, 2).slice(0, -2)},\n  "conversion": `
  yield* conversion
  yield "}\n"
}

function projectReport(project: ProjectSessions, hints: RescueHints): ProjectReport {
  const { id, worktree, missing, deleted, both, databaseOnly } = project
  return {
    id,
    worktree,
    missing: missing.map(sessionReport),
    deleted: deleted.map((session) => ({
      ...sessionReport(session),
      command: bringBack(hints, session.id),
    })),
    both,
    databaseOnly,
  }
}

function sessionReport({ id, title, directory, updated, parent }: SessionReport): SessionReport {
  return { id, title, directory, updated, parent }
}
