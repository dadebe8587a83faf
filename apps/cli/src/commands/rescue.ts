import { decodeKey, encodeKey } from "@sessile/core/storage"
import { ExitCode, UsageError } from "../exit-code.js"
import { Interruption } from "../interruption.js"
import { convertReport, reportText } from "../output/convert-report.js"
import { convertSummary } from "../output/convert-summary.js"
import { formatCountOf } from "../output/figures.js"
import { digestLedger } from "../output/ledger-digest.js"
import { lockNotice } from "../output/lock-notice.js"
import type { Output, OutputOptions } from "../output/output.js"
import { ProgressDisplay } from "../output/progress-display.js"
import { type RescueOutcome, rescueReport, rescueText } from "../output/rescue-report.js"
import { rescuePlan, whereToSee } from "../output/rescue-summary.js"
import { type ComparedSessions, compareSessions } from "../rescue/compare-sessions.js"
import { confirm } from "../rescue/confirm.js"
import { findRescuePlaces, type RescueHints, type RescuePlaces } from "../rescue/rescue-places.js"
import { type ConversionRun, isSound, runConversion } from "./run-conversion.js"

/** What the command line says. */
export interface RescueCommandOptions extends OutputOptions, RescueHints {
  readonly yes?: boolean
  readonly dryRun?: boolean
  readonly backup?: boolean
}

/** `sessile rescue`: brings the sessions that opencode left in JSON files into the database that it opens. */
export async function rescueCommand(options: RescueCommandOptions, output: Output): Promise<ExitCode> {
  const places = await findRescuePlaces(options)
  using progress = output.quiet ? undefined : new ProgressDisplay()
  using interruption = new Interruption(() => progress?.clear())
  const compared = await compareSessions(places)
  const history = { places, ...compared }
  const withheld = { keys: removedKeys(history), reason: REMOVED }
  const run = async (dryRun: boolean) => {
    const result = await runConversion(
      places.source,
      places.target,
      { verify: true, dryRun, backup: options.backup ?? true },
      {
        withheld,
        signal: interruption.signal,
        onProgress: (state) => progress?.show(state),
        warn: (warning) => dryRun && output.warn(warning),
        onWait: lockNotice(output, progress),
      },
    )
    progress?.clear()
    return result
  }
  const preview = await run(true)
  await using planned = preview.conversion
  if (!planned.finished) return interruption.exitCode ?? ExitCode.failed
  const finish = async (outcome: RescueOutcome) => {
    await tell(outcome, history, preview, output)
    return ExitCode.fine
  }
  if (!output.json && !output.quiet) {
    await output.print(rescuePlan(places, compared, planned.totals))
  }
  if (planned.totals.written === 0) return await finish("nothing")
  if (options.dryRun) return await finish("planned")
  if (!options.yes) {
    if (!process.stdin.isTTY) throw new UsageError("Nobody is there to ask: add --yes to bring it in")
    const question = `Bring ${formatCountOf(planned.totals.written, "record")} into the database?`
    const { signal } = interruption
    const isWanted = await confirm(question, { input: process.stdin, output: process.stderr, signal })
    if (signal.aborted) return interruption.exitCode ?? ExitCode.failed
    if (!isWanted) return await finish("declined")
  }

  const done = await run(false)
  await using conversion = done.conversion
  await tell(conversion.finished ? "done" : "interrupted", history, done, output)
  if (!conversion.finished) {
    output.note("Interrupted. Run the same command again: what was written stays, and it goes on from there.")
    return interruption.exitCode ?? ExitCode.failed
  }
  return judge(history, done, output)
}

/** Where a history is, and what of it is missing. */
interface StrandedHistory extends ComparedSessions {
  readonly places: RescuePlaces
}

const REMOVED =
  "opencode has gone on with this session, and does not have this: it may have been removed there"

function removedKeys({ removed }: StrandedHistory): ReadonlySet<string> {
  return new Set(removed.flatMap(({ keys }) => keys.map(encodeKey)))
}

/** Tells what came of it; people know the plan already. */
async function tell(
  outcome: RescueOutcome,
  { places, projects, removed }: StrandedHistory,
  run: ConversionRun,
  output: Output,
): Promise<void> {
  const { source, target } = places
  const digest = digestLedger(run.conversion.ledger)
  const { conflicts, reducedCount: reduced } = digest
  const found = { source, parts: [], target, ...run, others: run.conversion.foreign, conflicts, reduced }
  if (output.json) {
    const conversion = reportText(convertReport(found), run.conversion)
    for (const piece of rescueText(rescueReport(outcome, places, { projects, removed }), conversion)) {
      await output.printJson(piece)
    }
  } else if (outcome === "declined") output.note("Nothing was changed.")
  else if (outcome !== "nothing" && !output.quiet) {
    const where = outcome === "done" ? whereToSee(projects) : []
    await output.print(["", ...convertSummary({ ...found, digest, setAside: source.path }), ...where])
  }
}

function judge(history: StrandedHistory, run: ConversionRun, output: Output): ExitCode {
  if (!isSound(run, output)) return ExitCode.failed
  const missing = new Set(history.projects.flatMap((project) => project.missing.map(({ id }) => id)))
  const removed = removedKeys(history)
  let lost = 0
  for (const page of run.conversion.ledger.entries()) {
    for (const { key, outcome, conflict } of page) {
      const [kind, , id = ""] = decodeKey(key)
      // What the database holds in another form, or in another project, it holds.
      const isThere = conflict !== undefined || (kind === "session" && !missing.has(id))
      if (outcome === "setAside" && !isThere && !removed.has(key)) lost++
    }
  }
  const changed = run.conversion.verification?.changed.length ?? 0
  if (lost > 0) {
    output.warn(`${formatCountOf(lost, "record")} could not be brought in, and stay where they are.`)
  }
  if (changed > 0) output.warn("Records of the source changed meanwhile; run the same command again.")
  return lost + changed > 0 ? ExitCode.setAside : ExitCode.fine
}
