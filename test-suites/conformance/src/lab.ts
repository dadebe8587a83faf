import type { Storage } from "@sessile/core/storage"
import type { ReopenOptions } from "./harness.js"
import type { Scenario } from "./processes/scenario.js"
import type { ScenarioProcess } from "./processes/scenario-process.js"

/** What a contract experiments with. Everything in it is fresh, and is cleared away afterwards. */
export interface Lab {
  /** An empty store. */
  readonly storage: Storage
  /** The folder that was given to the store. */
  readonly folder: string
  /** Closes every handle on the store that this process has. */
  close(): Promise<void>
  /** Closes every handle on the store that this process has, and opens it again. */
  reopen(options?: ReopenOptions): Promise<Storage>
  /** Opens the store a second time, beside the handles that are open. */
  openAgain(options?: ReopenOptions): Promise<Storage>
  /** A second, separate, empty store. */
  another(): Promise<Storage>
  /** A lab of its own around another new store. */
  fresh(): Promise<Lab & AsyncDisposable>
  /** Starts another operating-system process that opens the same store. */
  start(scenario: Scenario): ScenarioProcess
  /**
   * Lets so many more requests to the engine succeed, fails all further ones, and resolves with what mends it.
   *
   * @throws ContractSkip when the harness cannot do so
   */
  breakDown(after: number): Promise<() => Promise<void>>
  /** How much the handles of this process hold open; `undefined` where nobody can tell. */
  openResources(): Promise<number | undefined>
  /** For experiments that draw lots: the same seed gives the same ones. */
  readonly seed: number
}
