import { parseArgs } from "node:util"
import { formatReport } from "./format-report.js"
import type { Harness } from "./harness.js"
import { loadHarness } from "./load-harness.js"
import { runConformance } from "./run-conformance.js"

const usage = `Usage: sessile-conformance HARNESS [--only ID]… [--seed NUMBER] [--json]

Tells what a Sessile storage backend really guarantees.

  HARNESS        the module that exports \`harness\`, in JavaScript or TypeScript
  --only ID      only contracts whose id starts so, such as batch/ (may be repeated)
  --seed NUMBER  repeats the random experiments of the report with this seed
  --json         the report as JSON, for machines

Exit codes: 0 the backend conforms, 1 it does not, 2 usage, 3 no harness there.

Example: sessile-conformance ./harness.ts --only crash/ --only batch/
`

/** Runs the command and gives its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  const request = parse(commandLine)
  if (request === "help") return print(usage, 0)
  if (typeof request === "string") {
    process.stderr.write(`sessile-conformance: ${request}\n\n${usage}`)
    return 2
  }
  let harness: Harness
  try {
    harness = await loadHarness(request.module)
  } catch (error) {
    process.stderr.write(`sessile-conformance: ${error instanceof Error ? error.message : String(error)}\n`)
    return 3
  }
  const terminal = process.stderr.isTTY
  let done = 0
  const report = await runConformance(harness, {
    ...request,
    onResult: ({ id }) => {
      done++
      if (terminal) process.stderr.write(`\r\u001b[K${done} contracts done, last ${id}`)
    },
  })
  if (terminal) process.stderr.write("\r\u001b[K")
  const colour = process.stdout.isTTY && !process.env.NO_COLOR
  const text = request.json
    ? `${JSON.stringify(report, null, 2)}\n`
    : formatReport(report, { colour, width: process.stdout.columns })
  return print(text, report.conforms ? 0 : 1)
}

interface Request {
  readonly module: string
  readonly only: readonly string[] | undefined
  readonly seed: number | undefined
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
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    if (values.help) return "help"
    const [module, ...more] = positionals
    if (module === undefined || more.length > 0) return "give one harness module"
    const seed = values.seed === undefined ? undefined : Number(values.seed)
    if (seed !== undefined && !Number.isSafeInteger(seed)) return "--seed takes a whole number"
    return { module, only: values.only, seed, json: values.json }
  } catch (error) {
    return (error as Error).message
  }
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text)
  return exitCode
}
