import { type Anomaly, inspect, type RecordSource } from "@sessile/convert"
import { decodeKey, parseText } from "@sessile/core/storage"
import { ExitCode } from "../exit-code.js"
import { Interruption } from "../interruption.js"
import { inspectReport, type ProjectLine } from "../output/inspect-report.js"
import { inspectSummary } from "../output/inspect-summary.js"
import type { Output, OutputOptions } from "../output/output.js"
import { ProgressDisplay } from "../output/progress-display.js"
import { openSource, partsOf } from "../stores/open-store.js"
import { resolveSource } from "../stores/resolve-address.js"
import { ADAPTER } from "../stores/store-address.js"
import { storeKind } from "../stores/store-kinds.js"

/** What the command line says. */
export interface InspectCommandOptions extends OutputOptions {
  readonly adapter?: string
}

/** `sessile inspect`: tells what a store holds, and what is wrong with it. */
export async function inspectCommand(
  place: string | undefined,
  { adapter }: InspectCommandOptions,
  output: Output,
): Promise<ExitCode> {
  const address = await resolveSource(place)
  using progress = output.quiet ? undefined : new ProgressDisplay()
  using interruption = new Interruption(() => progress?.clear())
  await using store = await openSource(address, adapter)
  const description =
    address.kind === ADAPTER
      ? { layout: "store of an adapter" }
      : await storeKind(address.kind).describe(address.path)
  const anomalies: Anomaly[] = []
  const inspection = await inspect({
    store,
    signal: interruption.signal,
    onProgress: (state) => progress?.show(state),
    onAnomaly: (anomaly) => anomalies.push(anomaly),
  })
  const projects = await projectLines(store, inspection.projects)
  progress?.clear()

  const report = inspectReport({
    address,
    parts: await partsOf(address),
    description,
    inspection,
    projects,
    anomalies,
  })
  if (output.json) await output.printJson(`${JSON.stringify(report, null, 2)}\n`)
  else await output.print(inspectSummary(report))
  if (!inspection.finished) return interruption.exitCode ?? ExitCode.failed
  return inspection.damaged + inspection.problems.length > 0 ? ExitCode.corrupt : ExitCode.fine
}

async function projectLines(
  store: RecordSource,
  sessions: Readonly<Record<string, number>>,
): Promise<ProjectLine[]> {
  const worktrees = new Map<string, string>()
  for await (const { records } of store.read({ take: "projects" })) {
    for (const { key, text = "" } of records) {
      const [, id = ""] = decodeKey(key)
      const { value } = { value: undefined, ...parseText(text) } as {
        value: { worktree?: unknown } | null | undefined
      }
      if (typeof value?.worktree === "string") worktrees.set(id, value.worktree)
    }
  }
  return Object.entries(sessions).map(([id, count]) => ({
    id,
    worktree: worktrees.get(id) ?? null,
    sessions: count,
  }))
}
