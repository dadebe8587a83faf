import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process"
import { once } from "node:events"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

/** The scripts beside this file. They are JavaScript on top of the build, as Node.js 20 loads no TypeScript. */
type Script =
  | "add-endlessly.mjs"
  | "add-texts.mjs"
  | "count-endlessly.mjs"
  | "count-updates.mjs"
  | "die-in-editor.mjs"
  | "read-large.mjs"
  | "record-syncs.mjs"
  | "scan-all.mjs"
  | "stand-still-in-editor.mjs"
  | "write-endlessly.mjs"

/** Starts a script in a process of its own; it finds `argument` on its command line. */
export function startChild(
  script: Script,
  argument: object,
  nodeOptions: readonly string[] = [],
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [...nodeOptions, pathOf(script), JSON.stringify(argument)])
}

/** Like {@link startChild}, in a system of its own, whose process ids mean nothing here; `undefined` where that is not allowed. */
export function startElsewhere(script: Script, argument: object): ChildProcessWithoutNullStreams | undefined {
  const unshare = ["--pid", "--fork", "--kill-child", "--map-root-user"]
  if (spawnSync("unshare", [...unshare, "true"]).status !== 0) return undefined
  return spawn("unshare", [...unshare, process.execPath, pathOf(script), JSON.stringify(argument)])
}

/** Runs a script to its end and gives what it printed; rejects with what it complained of when it fails. */
export async function runChild(
  script: Script,
  argument: object,
  nodeOptions: readonly string[] = [],
): Promise<string> {
  const child = startChild(script, argument, nodeOptions)
  const [printed, complaints, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ])
  if (code === 0) return printed
  throw new Error(`${script} ended with ${code ?? signal}: ${complaints}`)
}

function pathOf(script: Script): string {
  return fileURLToPath(new URL(script, import.meta.url))
}
