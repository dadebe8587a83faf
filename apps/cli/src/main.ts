import { readFileSync } from "node:fs"
import { CommanderError } from "commander"
import { ExitCode } from "./exit-code.js"
import { createProgram } from "./program.js"

/** Runs the program and gives its exit code. */
export async function main(commandLine: readonly string[]): Promise<number> {
  // Whoever reads our output may stop at any time, as `head` does.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error
    process.exit(ExitCode.failed)
  })
  let exitCode: number = ExitCode.fine
  const program = createProgram(packageVersion(), (code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(commandLine, { from: "user" })
    return exitCode
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? ExitCode.fine : ExitCode.usage
    throw error
  }
}

function packageVersion(): string {
  return JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8")).version
}
