import { spawn } from "node:child_process"
import { closeSync, openSync } from "node:fs"
import type { Readable } from "node:stream"
import { text } from "node:stream/consumers"
import { fileURLToPath } from "node:url"

export const program = fileURLToPath(new URL("../../bin/sessile.js", import.meta.url))

/** What a run of the program came to. */
export interface Run {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program as it is shipped, in a process of its own, without anybody's opencode. */
export async function sessile(
  commandLine: readonly string[],
  options: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv; readonly uid?: number } = {},
): Promise<Run> {
  const child = spawn(process.execPath, [program, ...commandLine], {
    cwd: options.cwd,
    uid: options.uid,
    env: { ...process.env, XDG_DATA_HOME: "/nowhere", OPENCODE_DATA_DIR: "", ...options.env },
    stdio: ["ignore", "pipe", "pipe"],
  })
  const code = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve)
    child.on("error", reject)
  })
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { code: await code, stdout, stderr }
}

/** Runs the program with a stdout that cannot be written to: a device, or a pipe that nobody reads. */
export async function sessileInto(
  stdout: "/dev/full" | "closed pipe",
  commandLine: readonly string[],
): Promise<Pick<Run, "code" | "stderr">> {
  const device = stdout === "/dev/full" ? openSync(stdout, "w") : undefined
  const child = spawn(process.execPath, [program, ...commandLine], {
    env: { ...process.env, XDG_DATA_HOME: "/nowhere", OPENCODE_DATA_DIR: "" },
    stdio: ["ignore", device ?? "pipe", "pipe"],
  })
  child.stdout?.destroy()
  const code = new Promise<number | null>((resolve, reject) => {
    child.on("close", resolve)
    child.on("error", reject)
  })
  const stderr = await text(child.stderr as Readable)
  if (device !== undefined) closeSync(device)
  return { code: await code, stderr }
}
