import { type ChildProcessByStdio, spawn } from "node:child_process"
import { once } from "node:events"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { type FixtureName, fixturePath } from "@sessile/fixtures"
import type { OpencodeSandbox, Outcome } from "./opencode-sandbox.js"

const RUN_LIMIT = 60_000

const program = join(
  dirname(createRequire(import.meta.url).resolve("sessile/package.json")),
  "bin/sessile.js",
)

/** What `sessile convert --json` tells, as far as it matters here. */
export interface Report {
  readonly ledger: {
    readonly found: number
    readonly written: number
    readonly present: number
    readonly setAside: number
  }
  /** How many records there are, by kind. */
  readonly kinds: Readonly<Record<string, { readonly records: number }>>
}

/** How to start the program as it is shipped. */
export const sessileCommand = [process.execPath, program] as const

/** Starts the program, without anybody's opencode. */
export function startSessile(...args: string[]): ChildProcessByStdio<null, Readable, Readable> {
  return start(args, { XDG_DATA_HOME: "/nowhere" })
}

function start(
  args: readonly string[],
  variables: NodeJS.ProcessEnv,
): ChildProcessByStdio<null, Readable, Readable> {
  return spawn(process.execPath, [program, ...args], {
    env: { ...process.env, OPENCODE_DATA_DIR: "", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: RUN_LIMIT,
    killSignal: "SIGKILL",
  })
}

/** Runs the program to its end. */
export function sessile(...args: string[]): Promise<Outcome> {
  return outcomeOf(startSessile(...args))
}

/** Runs the program to its end as the user of an opencode, whose data folder it finds by itself. */
export function sessileOf({ data }: OpencodeSandbox, ...args: string[]): Promise<Outcome> {
  return outcomeOf(start(args, { XDG_DATA_HOME: dirname(data) }))
}

async function outcomeOf(child: ChildProcessByStdio<null, Readable, Readable>): Promise<Outcome> {
  const closed = once(child, "close")
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  const [exitCode] = await closed
  return { exitCode, stdout, stderr }
}

/**
 * Brings one store into another, and gives the report.
 *
 * @throws Error if the program exits with anything but 0, or 8 for records that were set aside
 */
export async function convert(source: string, target: string, ...options: string[]): Promise<Report> {
  const command = ["convert", source, target, "--json", "--quiet", ...options]
  const { exitCode, stdout, stderr } = await sessile(...command)
  if (exitCode !== 0 && exitCode !== 8)
    throw new Error(`sessile ${command} exited with ${exitCode}\n${stderr}`)
  return JSON.parse(stdout)
}

/** The address of a store of JSON files. */
export function jsonStore(name: FixtureName): string {
  return `json:${join(fixturePath(name), "storage")}`
}
