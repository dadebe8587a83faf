import { spawn } from "node:child_process"
import { once } from "node:events"
import { readFileSync } from "node:fs"
import { text } from "node:stream/consumers"

/** What it takes to start a program. */
export interface ProgramRun {
  readonly file: string
  readonly args: readonly string[]
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

/** What a run of a program took. */
export interface ProcessFigures {
  /** From the start of the process to its end. */
  readonly milliseconds: number
  /** The most memory that the process held at once, all its threads together; known on Linux alone. */
  readonly peakBytes: number | undefined
  readonly stdout: string
}

const LONGEST = 600_000
const LOOK_EVERY = 10

/**
 * Runs a program to its end.
 *
 * @throws Error when it does not exit with 0, or takes longer than ten minutes
 *
 * @example
 * ```ts
 * const { milliseconds } = await measureProcess({ file: process.execPath, args: ["--version"] })
 * ```
 */
export async function measureProcess({ file, args, cwd, env }: ProgramRun): Promise<ProcessFigures> {
  const start = performance.now()
  const child = spawn(file, args, {
    cwd,
    env,
    stdio: ["ignore", "pipe", "pipe"],
    timeout: LONGEST,
    killSignal: "SIGKILL",
  })
  const outputs = Promise.all([text(child.stdout), text(child.stderr)])
  // The kernel keeps the peak but forgets it with the process, so only what comes in the last moment is missed.
  let peakBytes: number | undefined
  const watch = setInterval(() => {
    peakBytes = peakOf(child.pid) ?? peakBytes
  }, LOOK_EVERY)
  try {
    const [exitCode, signal] = await once(child, "close")
    const milliseconds = performance.now() - start
    const [stdout, stderr] = await outputs
    if (exitCode === 0) return { milliseconds, peakBytes, stdout }
    throw new Error(`${[file, ...args].join(" ")} ended with ${signal ?? exitCode}\n${stderr}`)
  } finally {
    clearInterval(watch)
  }
}

function peakOf(pid: number | undefined): number | undefined {
  if (process.platform !== "linux") return undefined
  try {
    const kilobytes = /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]
    return kilobytes === undefined ? undefined : Number(kilobytes) * 1024
  } catch (error) {
    // The process may be gone before its end is known here.
    const { code } = error as NodeJS.ErrnoException
    if (code !== "ENOENT" && code !== "ESRCH") throw error
    return undefined
  }
}
