import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import { rmSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { ConformanceReport, ContractResult } from "./report.js"
import type { RunMessage, RunRequest } from "./suite-process.js"
import { chosenGroups, type RunStart, summarize } from "./summary.js"

/** Hears how far a run has come. */
export interface Progress {
  started(start: RunStart): void
  begun(id: string): void
  done(result: ContractResult): void
}

/** Why there is no report. */
export interface Refusal {
  readonly exitCode: number
  readonly message: string
}

const program = fileURLToPath(new URL("../dist/suite-process.js", import.meta.url))

/**
 * Runs the suite in a process of its own, which is killed with all that it has started when it is silent for too long: a
 * loop in an adapter stops every timer of its process.
 */
export async function superviseRun(
  request: RunRequest,
  progress: Progress,
): Promise<ConformanceReport | Refusal> {
  const folder = await mkdtemp(join(tmpdir(), "sessile-conformance-"))
  const child = fork(program, [JSON.stringify(request)], {
    // A group of its own, so that the processes of contracts end with it.
    detached: process.platform !== "win32",
    // What an adapter prints must not mix with the report.
    stdio: ["ignore", 2, 2, "ipc"],
    env: { ...process.env, TMPDIR: folder, TEMP: folder, TMP: folder },
  })
  const stop = (signal: NodeJS.Signals) => {
    killAll(child)
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
    process.kill(process.pid, signal)
  }
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    return await new Supervision(request, progress).of(child)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    killAll(child)
    await rm(folder, { recursive: true, force: true, maxRetries: 3 })
  }
}

class Supervision {
  readonly #request: RunRequest
  readonly #progress: Progress
  readonly #results: ContractResult[] = []
  #start: RunStart | undefined
  #current: { readonly id: string; readonly title: string; readonly since: number } | undefined

  constructor(request: RunRequest, progress: Progress) {
    this.#request = request
    this.#progress = progress
  }

  of(child: ChildProcess): Promise<ConformanceReport | Refusal> {
    // The process limits the time of each contract itself, as long as it can.
    const patience = 2 * this.#request.timeLimit + 2_000
    return new Promise((resolve) => {
      const silent = () =>
        resolve(this.#endedEarly(`blocked the process for more than ${patience / 1000} seconds`))
      let timer = setTimeout(silent, patience)
      child.on("message", (message: RunMessage) => {
        clearTimeout(timer)
        timer = setTimeout(silent, patience)
        const outcome = this.#hear(message)
        if (outcome !== undefined) resolve(outcome)
      })
      once(child, "exit").then(([code, signal]) => {
        clearTimeout(timer)
        resolve(this.#endedEarly(`ended the process (${signal ?? `exit code ${code}`})`))
      })
    }).finally(() => child.removeAllListeners("message")) as Promise<ConformanceReport | Refusal>
  }

  #hear(message: RunMessage): ConformanceReport | Refusal | undefined {
    if ("refused" in message) return message.refused
    if ("end" in message) return this.#report(message.end.ending)
    if ("start" in message) {
      this.#start = message.start
      this.#progress.started(message.start)
    } else if ("contract" in message) {
      this.#current = { ...message.contract, since: performance.now() }
      this.#progress.begun(message.contract.id)
    } else {
      this.#current = undefined
      this.#results.push(message.result)
      this.#progress.done(message.result)
    }
    return undefined
  }

  #endedEarly(what: string): ConformanceReport | Refusal {
    if (this.#current === undefined) return { exitCode: 1, message: `The harness ${what}` }
    const { id, title, since } = this.#current
    const message = `The adapter ${what}`
    const milliseconds = Math.round(performance.now() - since)
    this.#results.push({ id, title, status: "failed", milliseconds, message, finding: { problem: message } })
    return this.#report(`The run ended early: in ${id} the adapter ${what}`)
  }

  #report(ending: string | undefined): ConformanceReport {
    const start = this.#start as RunStart
    return summarize(start, chosenGroups(this.#request.only), this.#results, ending)
  }
}

function killAll(child: ChildProcess): void {
  if (child.pid === undefined) return
  try {
    process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error
  }
}
