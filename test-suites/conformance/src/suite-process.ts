import type { Harness } from "./harness.js"
import { loadHarness } from "./load-harness.js"
import type { ContractResult } from "./report.js"
import { runConformance } from "./run-conformance.js"
import type { RunStart } from "./summary.js"

/** What the process of a run is asked for. */
export interface RunRequest {
  readonly module: string
  readonly only: readonly string[] | undefined
  readonly seed: number | undefined
  /** In milliseconds. */
  readonly timeLimit: number
}

/** What the process of a run reports to the one that started it. */
export type RunMessage =
  | { readonly start: RunStart }
  /** A contract begins. */
  | { readonly contract: { readonly id: string; readonly title: string } }
  | { readonly result: ContractResult }
  /** The run is over; the reason why it ended early, if it did. */
  | { readonly end: { readonly ending?: string | undefined } }
  /** There is nothing to run. */
  | { readonly refused: { readonly exitCode: number; readonly message: string } }

// The process that started this one is gone, and nobody hears the outcome.
process.once("disconnect", () => process.exit(1))

await run(JSON.parse(process.argv[2] as string) as RunRequest)

async function run({ module, ...options }: RunRequest): Promise<void> {
  let harness: Harness
  try {
    harness = await loadHarness(module)
  } catch (error) {
    return send({ refused: { exitCode: 3, message: messageOf(error) } })
  }
  try {
    const { objections } = await runConformance(harness, {
      ...options,
      onStart: (start) => send({ start }),
      onContract: ({ id, title }) => send({ contract: { id, title } }),
      onResult: (result) => send({ result }),
    })
    send({ end: { ending: objections.find((objection) => objection.startsWith("The run ended")) } })
  } catch (error) {
    send({ refused: { exitCode: 1, message: messageOf(error) } })
  }
}

function send(message: RunMessage): void {
  process.send?.(message)
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
