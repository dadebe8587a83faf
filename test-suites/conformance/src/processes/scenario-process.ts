import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import type { Harness, Place } from "../harness.js"
import { onMedium } from "./medium.js"
import type { Message, Outcome, Scenario } from "./scenario.js"

/** Another operating-system process at work on the store. */
export interface ScenarioProcess {
  /** How many steps it has reported. */
  readonly done: number
  /** Resolves when it has reported this many steps; rejects when it ends before. */
  reached(steps: number): Promise<void>
  /** Ends it with SIGKILL, and resolves when it is gone. */
  kill(): Promise<void>
  /** How it ended by itself. */
  ended(): Promise<Outcome>
}

const program = fileURLToPath(new URL("../../dist/processes/run-scenario.js", import.meta.url))

/** Starts a process that imports the harness, opens its store and plays a scenario. */
export function startScenario(harness: Harness, place: Place, scenario: Scenario): ScenarioProcess {
  const wrapper = "medium" in scenario ? onMedium(scenario.medium, place.folder) : []
  const task = JSON.stringify({ module: harness.module, place, scenario })
  const [command = "", ...rest] = [...wrapper, process.execPath, program, task]
  return new RunningScenario(spawn(command, rest, { stdio: ["ignore", "pipe", "inherit"] }))
}

class RunningScenario implements ScenarioProcess {
  readonly #child: ChildProcess
  readonly #exit: Promise<unknown>
  readonly #waiting: { readonly steps: number; readonly resolve: () => void }[] = []
  #outcome: Outcome | undefined
  done = 0

  constructor(child: ChildProcess) {
    this.#child = child
    this.#exit = once(child, "close")
    const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
    lines.on("line", (line) => this.#hear(JSON.parse(line)))
  }

  async reached(steps: number): Promise<void> {
    if (this.done >= steps) return
    const arrival = new Promise<void>((resolve) => this.#waiting.push({ steps, resolve }))
    await Promise.race([arrival, this.#exit])
    if (this.done >= steps) return
    throw new Error(`The other process ended after ${this.done} of ${steps} steps: ${this.#outcome?.message}`)
  }

  async kill(): Promise<void> {
    this.#child.kill("SIGKILL")
    await this.#exit
  }

  async ended(): Promise<Outcome> {
    await this.#exit
    if (this.#outcome === undefined) throw new Error("The other process died without a word")
    return this.#outcome
  }

  #hear(message: Message): void {
    if ("outcome" in message) {
      this.#outcome = message.outcome
      return
    }
    this.done = message.step
    for (const { steps, resolve } of this.#waiting) if (this.done >= steps) resolve()
  }
}
