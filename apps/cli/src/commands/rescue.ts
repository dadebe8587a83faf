import type { Conversion } from "@sessile/convert"
import { ExitCode, UsageError } from "../exit-code.js"
import { Interruption } from "../interruption.js"
import { convertReport, reportText } from "../output/convert-report.js"
import { formatCountOf } from "../output/figures.js"
import { digestLedger } from "../output/ledger-digest.js"
import { lockNotice } from "../output/lock-notice.js"
import type { Output, OutputOptions } from "../output/output.js"
import { ProgressDisplay } from "../output/progress-display.js"
import { rescuePlan, rescueQuestion } from "../output/rescue-plan.js"
import { type RescueOutcome, rescueReport, rescueText } from "../output/rescue-report.js"
import { rescueSummary } from "../output/rescue-summary.js"
import { type ComparedSessions, compareSessions, type SessionChoice } from "../rescue/compare-sessions.js"
import { confirm } from "../rescue/confirm.js"
import { ledgerFindings } from "../rescue/ledger-findings.js"
import type { Rescue } from "../rescue/rescue.js"
import { beginAttempt } from "../rescue/rescue-attempt.js"
import { type RescueJournal, readJournal, writeJournal } from "../rescue/rescue-journal.js"
import { findRescuePlaces, type RescueHints, type RescuePlaces } from "../rescue/rescue-places.js"
import { whereToSee } from "../rescue/where-to-see.js"
import { lastWrap } from "../stores/id-wrap.js"
import { type ConversionRun, isSound, runConversion } from "./run-conversion.js"

/** What the command line says. */
export interface RescueCommandOptions extends OutputOptions, RescueHints, SessionChoice {
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly backup?: boolean
  readonly project?: readonly string[]
  /** In milliseconds. */
  readonly since?: number
}

const DELETED = "It was deleted in opencode; sessile rescue --session brings it back"

/** `sessile rescue`: brings the sessions that opencode left in JSON files into the database that it opens. */
export async function rescueCommand(options: RescueCommandOptions, output: Output): Promise<ExitCode> {
  const places = await findRescuePlaces(options)
  for (const { path, reason } of places.skipped) output.warn(`Skipped ${path}: ${reason}`)
  using progress = output.quiet ? undefined : new ProgressDisplay()
  using interruption = new Interruption(() => progress?.clear())
  const onWait = lockNotice(output, progress)
  const journal = await readJournal(places.target.path)
  const compared = await compareSessions(places, options, journal.sessions)
  const run = async (dryRun: boolean) => {
    const { since, project, session } = options
    const result = await runConversion(
      places.source,
      places.target,
      { verify: true, dryRun, backup: false, since, project, session },
      {
        withheld: { keys: compared.deletedKeys, reason: DELETED },
        signal: interruption.signal,
        onProgress: (state) => progress?.show(state),
        warn: (warning) => dryRun && output.warn(warning),
        onWait,
      },
    )
    progress?.clear()
    return result
  }
  const preview = await run(true)
  await using planned = preview.conversion
  if (!planned.finished) return interruption.exitCode ?? ExitCode.failed
  const plan = planOf(places, options, compared, planned)
  if (!output.json && !output.quiet) await output.print(rescuePlan(plan, planned.totals))

  const outcome = await decide(plan, options, planned, interruption)
  if (interruption.signal.aborted) return interruption.exitCode ?? ExitCode.failed
  if (outcome !== undefined) {
    if (outcome === "nothing" && journal.unfinished !== null) await finish(plan, compared, journal)
    await report(outcome, plan, preview, output)
    return outcome === "declined" ? ExitCode.fine : judge(plan, planned, output)
  }

  const attempt = await beginAttempt(places, journal, {
    backup: options.backup ?? true,
    lastUse: compared.lastUse,
    now: Date.now(),
    onWait,
  })
  const done = await run(false)
  await using conversion = done.conversion
  const begun = { ...planOf(places, options, compared, conversion), projects: plan.projects, attempt }
  if (!conversion.finished) {
    await report("interrupted", begun, done, output)
    output.note("Interrupted. Run the same command again: what was written stays, and it goes on from there.")
    return interruption.exitCode ?? ExitCode.failed
  }
  await finish(plan, compared, journal)
  const rescue = { ...begun, whereToSee: await whereToSee(plan.projects) }
  await report("done", rescue, done, output)
  return isSound(done, output) ? judge(rescue, conversion, output) : ExitCode.failed
}

function planOf(
  places: RescuePlaces,
  { data, database }: RescueHints,
  { projects, removed, deletedKeys, damage }: ComparedSessions,
  { ledger }: Conversion,
): Rescue {
  const missing = new Set(projects.flatMap((project) => project.missing.map(({ id }) => id)))
  const findings = ledgerFindings(ledger, missing, deletedKeys)
  const wrap = lastWrap(Date.now())
  return {
    places,
    hints: { ...(data !== undefined && { data }), ...(database !== undefined && { database }) },
    projects: projects.map((project) => ({
      ...project,
      missing: project.missing.filter(({ id }) => findings.written.has(id)),
    })),
    removed,
    findings,
    damage,
    sessionsBeforeWrap: projects
      .flatMap((project) => project.missing)
      .filter(({ id, created }) => findings.written.has(id) && created !== null && created < wrap)
      .map(({ id }) => id),
  }
}

/** How it ends without writing; `undefined` when it is to write. */
async function decide(
  plan: Rescue,
  { dryRun, yes }: RescueCommandOptions,
  { totals }: Conversion,
  { signal }: Interruption,
): Promise<"nothing" | "planned" | "declined" | undefined> {
  if (totals.written === 0) return "nothing"
  if (dryRun) return "planned"
  if (yes) return undefined
  if (!process.stdin.isTTY) {
    throw new UsageError("stdin is not a terminal; pass --yes to import without asking")
  }
  const question = rescueQuestion(plan, totals)
  const isWanted = await confirm(question, { input: process.stdin, output: process.stderr, signal })
  return isWanted ? undefined : "declined"
}

/** Notes that the rescue reached its end, and which sessions of the JSON files the database has by now. */
async function finish(
  { places, projects }: Rescue,
  { both }: ComparedSessions,
  journal: RescueJournal,
): Promise<void> {
  const written = projects.flatMap(({ missing }) => missing)
  const sessions = new Set([...journal.sessions, ...[...both, ...written].map(({ id }) => id)])
  await writeJournal(places.target.path, { sessions: [...sessions].sort(), unfinished: null })
}

async function report(
  outcome: RescueOutcome,
  rescue: Rescue,
  run: ConversionRun,
  output: Output,
): Promise<void> {
  const digest = digestLedger(run.conversion.ledger)
  if (output.json) {
    const { source, target } = rescue.places
    const { conflicts, reducedCount: reduced } = digest
    const backup = rescue.attempt?.backup ?? undefined
    const others = run.conversion.foreign
    const input = { source, parts: [], target, ...run, backup, others, conflicts, reduced }
    const conversion = reportText(convertReport(input), run.conversion)
    for (const chunk of rescueText(rescueReport(outcome, rescue), conversion)) await output.printJson(chunk)
  } else if (outcome === "declined") output.note("Nothing was changed.")
  else if (output.quiet) return
  else if (outcome === "planned") await output.print(["", "Dry run: nothing was written."])
  else if (outcome !== "nothing") await output.print(["", ...rescueSummary(rescue, run, digest)])
}

function judge({ findings, damage }: Rescue, conversion: Conversion, output: Output): ExitCode {
  const { verification, dryRun, sourceProblems } = conversion
  const { lostCount, blank } = findings
  const changed = verification?.changed.length ?? 0
  if (lostCount > 0) {
    const [verb, stay] = dryRun ? ["cannot", "stay"] : ["could not", "stay"]
    output.warn(`${formatCountOf(lostCount, "record")} ${verb} be brought in, and ${stay} in the JSON files.`)
  }
  if (blank.size > 0) output.warn(`${formatCountOf(blank.size, "session")} have no content.`)
  if (damage.length > 0) output.warn(`The database is damaged: ${damage[0]}`)
  if (sourceProblems.length > 0) output.warn(`The JSON files are damaged: ${sourceProblems[0]}`)
  if (changed > 0) output.warn("The JSON files changed meanwhile; run the same command again.")
  const problems = damage.length + sourceProblems.length
  return lostCount + blank.size + problems + changed > 0 ? ExitCode.setAside : ExitCode.fine
}
