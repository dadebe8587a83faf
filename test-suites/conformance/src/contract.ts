import type { Capabilities } from "@sessile/core/storage"
import type { Lab } from "./lab.js"

/** One thing that a backend guarantees, and the experiment that shows it. */
export interface Contract {
  /** Stable: reports and regressions refer to it. */
  readonly id: `${string}/${string}`
  /** The behaviour, as a sentence without a full stop. */
  readonly title: string
  /** What the store must declare, or must not, for the contract to apply. */
  readonly needs?: Partial<Capabilities>
  /** Why the experiment cannot be made on this machine, if so. */
  readonly obstacle?: () => Promise<string | undefined>
  readonly check: (lab: Lab) => Promise<void>
}

/** Contracts that belong together. */
export interface ContractGroup {
  readonly name: string
  /** Every backend must pass it: a report without it is a failure. */
  readonly required: boolean
  readonly contracts: readonly Contract[]
}

/** Thrown by a check that finds out midway that it does not apply. */
export class ContractSkip extends Error {
  override readonly name = "ContractSkip"
}
