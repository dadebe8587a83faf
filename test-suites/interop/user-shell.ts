import { spawn } from "node:child_process"
import { once } from "node:events"
import { chmod, open, readFile, writeFile } from "node:fs/promises"
import { delimiter, join } from "node:path"
import { temporaryFolder } from "@sessile/fixtures"
import type { OpencodeSandbox } from "./opencode-sandbox.js"

/**
 * Runs commands as somebody who pastes them into a shell, where `opencode` is the release of a sandbox.
 *
 * @returns what they wrote to stdout
 * @throws Error if one of them fails
 */
export async function pasteIntoShell(
  opencode: OpencodeSandbox,
  commands: readonly string[],
): Promise<string> {
  await using folder = await temporaryFolder()
  const { file, args, env } = opencode.command()
  const words = [file, ...args].map((word) => `'${word.replaceAll("'", `'\\''`)}'`)
  const program = join(folder.path, "opencode")
  await writeFile(program, `#!/bin/sh\nexec ${words.join(" ")} "$@"\n`)
  await chmod(program, 0o755)
  // opencode exits before a pipe has taken all of its output; a file gets the whole of it.
  const output = join(folder.path, "output")
  await using stdout = await open(output, "w")
  const child = spawn("sh", ["-euc", commands.join("\n")], {
    env: { ...env, PATH: `${folder.path}${delimiter}${env.PATH}` },
    stdio: ["ignore", stdout.fd, "inherit"],
  })
  const [exitCode] = await once(child, "close")
  if (exitCode !== 0) throw new Error(`${commands.join("; ")} exited with ${exitCode}`)
  return await readFile(output, "utf8")
}

/** The sessions that `opencode session list` printed as a table. */
export function listedIn(table: string): string[] {
  return Array.from(table.matchAll(/^(ses_\w+)/gm), ([, id]) => id as string)
}
