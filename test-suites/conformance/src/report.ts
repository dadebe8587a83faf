import type { Capabilities } from "@sessile/core/storage"
import type { Finding } from "./assertions.js"

/** How a contract came out. */
export type ContractResult = { readonly id: string; readonly title: string } & (
  | { readonly status: "passed"; readonly milliseconds: number }
  | { readonly status: "skipped"; readonly reason: string }
  | {
      readonly status: "failed"
      readonly milliseconds: number
      /** What a person reads: the problem, with key, expected and actual value. */
      readonly message: string
      readonly finding?: Finding
      /** Whether it took longer than it may. */
      readonly timedOut?: boolean
    }
)

/** The contracts of one group. */
export interface GroupResult {
  readonly name: string
  readonly required: boolean
  readonly contracts: readonly ContractResult[]
}

/** What a backend really guarantees. The shape is stable within a `schemaVersion`. */
export interface ConformanceReport {
  readonly schemaVersion: 1
  readonly harness: string
  readonly capabilities: Capabilities
  /** Runs the same random experiments again: `seed` of `runConformance`, `--seed` of the command. */
  readonly seed: number
  readonly groups: readonly GroupResult[]
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  /** Why the backend does not conform, beyond contracts that failed. */
  readonly objections: readonly string[]
  /** Whether the backend conforms. */
  readonly conforms: boolean
}
