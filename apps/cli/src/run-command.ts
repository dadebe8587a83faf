import type { ExitCode } from "./exit-code.js"
import { failureOf, formatFailure } from "./output/failure.js"
import { Output, type OutputOptions } from "./output/output.js"

/** Runs a command and gives its exit code, also when it fails: then stderr says why, and what to do. */
export async function runCommand(
  command: string,
  options: OutputOptions,
  action: (output: Output) => Promise<ExitCode>,
): Promise<ExitCode> {
  const output = new Output(options)
  try {
    return await action(output)
  } catch (error) {
    const failure = failureOf(error)
    output.note(formatFailure(failure))
    if (output.json) {
      await output.print(`${JSON.stringify({ schemaVersion: 1, command, error: failure }, null, 2)}\n`)
    }
    return failure.exitCode
  }
}
