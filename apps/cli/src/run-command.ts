import type { ExitCode } from "./exit-code.js"
import { failureOf, formatFailure } from "./output/failure.js"
import { Output, type OutputOptions } from "./output/output.js"
import { OutputError } from "./output/stdout.js"

/** Runs a command and returns its exit code, also when it fails: then the output says why, and what to do. */
export async function runCommand(
  command: string,
  options: OutputOptions,
  action: (output: Output) => Promise<ExitCode>,
): Promise<ExitCode> {
  const output = new Output(options)
  try {
    return await action(output)
  } catch (error) {
    return await reportFailure(command, error, output)
  }
}

/**
 * Reports an error that ended a command, and returns the exit code.
 *
 * @param command `null` when the command line names none
 */
export async function reportFailure(
  command: string | null,
  error: unknown,
  output: Output,
): Promise<ExitCode> {
  const failure = failureOf(error)
  if (error instanceof OutputError) {
    if (!error.isClosed) output.note(...formatFailure(failure))
    return failure.exitCode
  }
  output.note(...formatFailure(failure))
  if (!output.json) return failure.exitCode
  try {
    await output.printJson(`${JSON.stringify({ schemaVersion: 1, command, error: failure }, null, 2)}\n`)
    return failure.exitCode
  } catch (unwritable) {
    if (!(unwritable instanceof OutputError)) throw unwritable
    return await reportFailure(command, unwritable, output)
  }
}
