import { resolve } from "node:path"
import { type ConflictPolicy, SetAsideFolder } from "@sessile/convert"
import { ExitCode, UsageError } from "../exit-code.js"
import { Interruption } from "../interruption.js"
import { convertReport, reportText } from "../output/convert-report.js"
import { convertSummary } from "../output/convert-summary.js"
import { formatCount } from "../output/figures.js"
import { digestLedger } from "../output/ledger-digest.js"
import { lockNotice } from "../output/lock-notice.js"
import type { Output, OutputOptions } from "../output/output.js"
import { ProgressDisplay } from "../output/progress-display.js"
import { ReportFile } from "../output/report-file.js"
import { lookAt } from "../stores/findings.js"
import { partsOf } from "../stores/open-store.js"
import { refuseOverlap } from "../stores/refuse-overlap.js"
import { isSourceAlone, resolveSource, resolveTarget } from "../stores/resolve-address.js"
import { ADAPTER, DEFAULT_TARGET, type StoreAddress } from "../stores/store-address.js"
import { type ConversionRun, isSound, runConversion } from "./run-conversion.js"

/** What the command line says. */
export interface ConvertCommandOptions extends OutputOptions {
  readonly verify: boolean
  readonly strict?: boolean
  readonly dryRun?: boolean
  /** By default what suits the target. */
  readonly onConflict?: ConflictPolicy
  /** Whether a target that others use is copied first, which it is by default. */
  readonly backup?: boolean
  /** In milliseconds. */
  readonly since?: number
  readonly project?: readonly string[]
  readonly session?: readonly string[]
  readonly report?: string
  readonly setAside?: string
  readonly adapter?: string
}

/** `sessile convert`: brings every record of one store into another. */
export async function convertCommand(
  places: readonly string[],
  options: ConvertCommandOptions,
  output: Output,
): Promise<ExitCode> {
  const { source, target } = await resolvePlaces(places)
  const setAside = setAsidePath(target, options)
  const report = options.report === undefined ? undefined : resolve(options.report)
  const parts = await partsOf(source)
  const written = [
    { role: "folder for what is set aside", path: setAside },
    ...(report === undefined ? [] : [{ role: "report", path: report }]),
  ]
  await refuseOverlap(source, target, written, parts)
  if (report === target.path) throw new UsageError("The report cannot be the target; choose another path")
  await refuseNonFolder("--set-aside", setAside)
  await using reportFile = report === undefined ? undefined : await ReportFile.create(report)
  using progress = output.quiet ? undefined : new ProgressDisplay()
  using interruption = new Interruption(() => {
    progress?.clear()
    output.note("Stopping after the current records; press Ctrl-C again to end at once.")
  })

  const run = await runConversion(source, target, options, {
    setAside: new SetAsideFolder(setAside),
    signal: interruption.signal,
    onProgress: (state) => progress?.show(state),
    count: !output.quiet && process.stderr.isTTY,
    warn: (warning) => output.warn(warning),
    onWait: lockNotice(output, progress),
  })
  await using conversion = run.conversion
  progress?.clear()

  const digest = digestLedger(conversion.ledger)
  const { conflicts, reducedCount: reduced } = digest
  const found = { source, parts, target, ...run, others: conversion.foreign, conflicts, reduced }
  await reportFile?.write(reportText(convertReport(found), conversion))
  if (output.json)
    for (const piece of reportText(convertReport(found), conversion)) await output.printJson(piece)
  else if (!output.quiet) await output.print(convertSummary({ ...found, digest, setAside }))

  if (!conversion.finished) {
    output.note("Interrupted. Run the same command again to continue: what was written stays.")
    return interruption.exitCode ?? ExitCode.failed
  }
  return judge(run, output)
}

async function resolvePlaces(
  places: readonly string[],
): Promise<{ source: StoreAddress; target: StoreAddress }> {
  const [first, second] = places
  if (first !== undefined && second === undefined && !(await isSourceAlone(first))) {
    const target = await resolveTarget(first)
    return { source: await resolveSource(undefined), target }
  }
  return { source: await resolveSource(first), target: await resolveTarget(second ?? DEFAULT_TARGET) }
}

async function refuseNonFolder(option: string, path: string): Promise<void> {
  const findings = await lookAt(path)
  if (findings !== undefined && findings.names === undefined)
    throw new UsageError(`${option} needs the path of a folder, and this is a file (${path})`)
}

function setAsidePath(target: StoreAddress, { setAside }: ConvertCommandOptions): string {
  if (setAside !== undefined) return resolve(setAside)
  // Beside a store of an adapter there may be no place for a folder.
  return target.kind === ADAPTER ? resolve("sessile.set-aside") : `${target.path}.set-aside`
}

function judge(run: ConversionRun, output: Output): ExitCode {
  const { totals, verification, sourceProblems, dryRun } = run.conversion
  const { found, setAside } = totals
  if (!isSound(run, output)) return ExitCode.failed
  if (found === 0) output.warn("The source holds no records.")
  const were = dryRun ? "would be" : "were"
  if (setAside > 0)
    output.warn(`${formatCount(setAside)} of ${formatCount(found)} records ${were} set aside.`)
  const changed = verification?.changed ?? []
  if (changed.length > 0) output.warn("The source changed during the conversion; run the same command again.")
  if (sourceProblems.length > 0)
    output.warn("The source is damaged: records that it has lost are missing in the target.")
  return setAside + changed.length + sourceProblems.length > 0 ? ExitCode.setAside : ExitCode.fine
}
