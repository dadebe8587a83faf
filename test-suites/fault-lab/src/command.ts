import { parseArgs } from "node:util"
import { formatReport } from "./format-report.js"
import { type LabOptions, runLab } from "./run-lab.js"
import { loadSubject, type Subject } from "./subject.js"

const usage = `Usage: sessile-fault-lab SUBJECT [--mutations N] [--seed N] [--first N] [--program FILE] [--json]

Damages copies of a store and checks that no loss goes unnoticed.

  SUBJECT         the module that exports \`subject\`, in JavaScript or TypeScript
  --mutations N   how many copies to damage, 1000 by default
  --seed N        repeats the mutations of an earlier run; 1 by default
  --first N       the number of the first mutation, to repeat one alone with --mutations 1
  --program FILE  reads the stores with this sessile.js instead of the library
  --json          the report as JSON

Exit codes: 0 every outcome is acceptable, 1 some are not, 2 usage, 3 no subject there.
`

/** Runs the command and returns its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  const request = parse(commandLine)
  if (request === "help") return print(usage, 0)
  if (typeof request === "string") return complain(`${request}\n\n${usage}`, 2)
  let subject: Subject
  try {
    subject = await loadSubject(request.module)
  } catch (error) {
    return complain(`${error instanceof Error ? error.message : String(error)}\n`, 3)
  }
  const report = await runLab(subject, request)
  const text = request.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report)
  return print(text, report.failures.length === 0 ? 0 : 1)
}

interface Request extends LabOptions {
  readonly module: string
  readonly json: boolean
}

function parse(commandLine: readonly string[]): Request | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...commandLine],
      allowPositionals: true,
      options: {
        mutations: { type: "string", default: "1000" },
        seed: { type: "string", default: "1" },
        first: { type: "string", default: "0" },
        program: { type: "string" },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
    if (values.help) return "help"
    const [module, ...more] = positionals
    if (module === undefined || more.length > 0) return "give one subject module"
    const [mutations, seed, first] = [values.mutations, values.seed, values.first].map(Number) as [
      number,
      number,
      number,
    ]
    if (![mutations, seed, first].every((number) => Number.isSafeInteger(number) && number >= 0))
      return "--mutations, --seed and --first take whole numbers"
    return { module, mutations, seed, first, program: values.program, json: values.json }
  } catch (error) {
    return (error as Error).message
  }
}

function print(text: string, exitCode: number): number {
  process.stdout.write(text)
  return exitCode
}

function complain(text: string, exitCode: number): number {
  process.stderr.write(`sessile-fault-lab: ${text}`)
  return exitCode
}
