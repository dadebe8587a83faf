import { StorageError } from "@sessile/core/storage"
import type { Place } from "../harness.js"
import { loadHarness } from "../load-harness.js"
import { play } from "./play-scenario.js"
import type { Scenario } from "./scenario.js"
import { tell } from "./tell.js"

// Run as a process of its own by startScenario.
const task = JSON.parse(process.argv[2] as string) as {
  readonly module: string
  readonly place: Place
  readonly scenario: Scenario
}

try {
  await play(await loadHarness(task.module), task.place, task.scenario, (step) => tell({ step }))
  tell({ outcome: {} })
} catch (error) {
  if (!(error instanceof Error)) throw error
  tell({ outcome: { error: StorageError.is(error) ? error.code : error.name, message: error.message } })
}

// Whatever a store that failed still holds open must not keep the process alive.
process.exit()
