import { type Difference, verify } from "@sessile/convert"
import { ExitCode } from "../exit-code.js"
import { Interruption } from "../interruption.js"
import type { Output, OutputOptions } from "../output/output.js"
import { ProgressDisplay } from "../output/progress-display.js"
import { verifyReport, verifySummary } from "../output/verify-report.js"
import { openForComparing } from "../stores/open-store.js"
import { resolveSource } from "../stores/resolve-address.js"

/** What the command line says. */
export interface VerifyCommandOptions extends OutputOptions {
  readonly adapter?: string
}

/** How many differences people are shown of each kind. */
const NAMED = 10

/** `sessile verify`: compares two stores record by record. */
export async function verifyCommand(
  places: readonly [string, string],
  { adapter }: VerifyCommandOptions,
  output: Output,
): Promise<ExitCode> {
  const [first, second] = [await resolveSource(places[0]), await resolveSource(places[1])]
  using progress = output.quiet ? undefined : new ProgressDisplay()
  using interruption = new Interruption(() => progress?.clear())
  await using a = await openForComparing(first, adapter)
  await using b = await openForComparing(second, adapter)
  const differences: Difference[] = []
  const named = { missing: 0, extra: 0, different: 0, reduced: 0 }
  const comparison = await verify({
    a,
    b,
    signal: interruption.signal,
    onProgress: (state) => progress?.show(state),
    onDifference: (difference) => {
      if (output.json || ++named[difference.kind] <= NAMED) differences.push(difference)
    },
  })
  progress?.clear()

  const found = { a: first, b: second, comparison, differences }
  if (output.json) await output.printJson(`${JSON.stringify(verifyReport(found), null, 2)}\n`)
  else if (!output.quiet) await output.print(verifySummary(found))
  if (!comparison.finished) return interruption.exitCode ?? ExitCode.failed
  const { missing, extra, different, reduced, problems } = comparison
  if (problems.a.length + problems.b.length > 0) return ExitCode.corrupt
  return missing + extra + different + reduced === 0 ? ExitCode.fine : ExitCode.failed
}
