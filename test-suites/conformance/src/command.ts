import { parseArgs } from "node:util"
import { formatReport } from "./format-report.js"
import { showProgress } from "./show-progress.js"
import type { RunRequest } from "./suite-process.js"
import { superviseRun } from "./supervised-run.js"
import { DEFAULT_TIME_LIMIT } from "./time-limit.js"

const usage = `Usage: sessile-conformance HARNESS [--only ID]… [--seed NUMBER] [--time-limit SECONDS] [--json]

Tells what a Sessile storage backend really guarantees.

  HARNESS               the module that exports \`harness\`, in JavaScript or TypeScript
  --only ID             only contracts whose id starts so, such as batch/ (may be repeated)
  --seed NUMBER         repeats the random experiments of the report with this seed
  --time-limit SECONDS  how long one contract may take, 60 by default; the run ends after three
                        that took longer, and when the adapter blocks the process
  --json                the report as JSON, for machines

Progress goes to standard error.

Exit codes: 0 the backend conforms, 1 it does not, 2 usage, 3 no harness there.

Example: sessile-conformance ./harness.ts --only crash/ --only batch/
`

const LONGEST_TIME_LIMIT = 24 * 60 * 60 * 1000

/** Runs the command and gives its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  const request = parse(commandLine)
  if (request === "help") return print(usage, 0)
  if (typeof request === "string") {
    process.stderr.write(`sessile-conformance: ${request}\n\n${usage}`)
    return 2
  }
  const progress = showProgress(process.stderr)
  const report = await superviseRun(request, progress)
  progress.clear()
  if ("message" in report) {
    process.stderr.write(`sessile-conformance: ${report.message}\n`)
    return report.exitCode
  }
  const colour = process.stdout.isTTY && !process.env.NO_COLOR
  const text = request.json
    ? `${JSON.stringify(report, null, 2)}\n`
    : formatReport(report, { colour, width: process.stdout.columns })
  return print(text, report.conforms ? 0 : 1)
}

interface Request extends RunRequest {
  readonly json: boolean
}

function parse(commandLine: readonly string[]): Request | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      allowPositionals: true,
      options: {
        only: { type: "string", multiple: true },
        seed: { type: "string" },
        "time-limit": { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    if (values.help) return "help"
    const [module, ...more] = positionals
    if (module === undefined || more.length > 0) return "give one harness module"
    const seed = values.seed === undefined ? undefined : Number(values.seed)
    if (seed !== undefined && !Number.isSafeInteger(seed)) return "--seed takes a whole number"
    const seconds = values["time-limit"]
    const timeLimit = seconds === undefined ? DEFAULT_TIME_LIMIT : 1000 * Number(seconds)
    if (!(timeLimit > 0 && timeLimit <= LONGEST_TIME_LIMIT))
      return "--time-limit takes a number of seconds, up to a day"
    return { module, only: values.only, seed, timeLimit, json: values.json }
  } catch (error) {
    return (error as Error).message
  }
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text)
  return exitCode
}
