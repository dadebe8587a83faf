import { readFileSync } from "node:fs"
import { CommanderError } from "commander"
import { ExitCode, UsageError } from "./exit-code.js"
import { Output } from "./output/output.js"
import { handleStreamErrors, writeToStdout } from "./output/stdout.js"
import { createProgram } from "./program.js"
import { reportFailure } from "./run-command.js"

/** Runs the program and returns its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  handleStreamErrors()
  let exitCode: number = ExitCode.fine
  const program = createProgram(packageVersion(), (code) => {
    exitCode = code
  })
  const help = { stdout: "", stderr: "" }
  const known = program.commands.map((command) => command.name())
  const command = commandLine.find((word) => known.includes(word)) ?? null
  const output = new Output({ json: commandLine.includes("--json") })
  for (const each of [program, ...program.commands]) {
    each.configureOutput({
      writeOut: (text) => {
        help.stdout += text
      },
      writeErr: (text) => {
        help.stderr += text
      },
      // What is wrong with a command line is reported like any other failure.
      outputError: () => undefined,
    })
  }
  try {
    await program.parseAsync(commandLine, { from: "user" })
    return exitCode
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    if (HELP.includes(error.code) && help.stdout !== "") return await printHelp(help.stdout, command, output)
    if (help.stderr !== "") output.note(...help.stderr.trimEnd().split("\n"))
    const message = error.code === "commander.help" ? "A command is missing" : usageMessage(error)
    return await reportFailure(command, new UsageError(message), output)
  }
}

const HELP = ["commander.help", "commander.helpDisplayed", "commander.version"]

async function printHelp(text: string, command: string | null, output: Output): Promise<number> {
  try {
    await writeToStdout(text)
    return ExitCode.fine
  } catch (error) {
    return await reportFailure(command, error, output)
  }
}

function usageMessage({ message }: CommanderError): string {
  return message.replace(/^error: /, "").replaceAll("\n", " ")
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version
}
