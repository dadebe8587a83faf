import type { Medium } from "./medium.js"

/** What another process does with the store. Each step that is done is reported by its number. */
export type Scenario =
  /** Writes the records of `crashRecord`, one after the other, without end. */
  | { readonly name: "write-endlessly"; readonly size: number }
  /** Replaces the same records in batches, without end; all records of a batch hold its number. */
  | { readonly name: "batch-endlessly"; readonly records: number }
  /** Adds one to `count` in the record `["counter"]`, so many times. */
  | { readonly name: "increment"; readonly times: number }
  /**
   * Reports a step, waits for the record `["go"]`, then replaces the same records in batches, so many times, in their order or against
   * it, and adds one of its own each time.
   */
  | {
      readonly name: "batch-in-order"
      readonly records: number
      readonly times: number
      readonly reverse: boolean
      readonly own: string
    }
  /** Opens the store, and ends. */
  | { readonly name: "open" }
  /** Finds the store on a medium that cannot be written. */
  | { readonly name: "meet-read-only-medium"; readonly medium: Medium & "read-only" }
  /** Makes a new store on a small medium and fills it. */
  | { readonly name: "fill-medium"; readonly medium: Medium & "small" }
  /** Makes a new store on a small medium, and asks for a batch of thousands that does not fit. */
  | { readonly name: "fill-medium-by-batch"; readonly medium: Medium & "small" }

/** How a process ended that was not killed. */
export interface Outcome {
  /** The code of the `StorageError` that ended it, or the name of any other error. */
  readonly error?: string
  readonly message?: string
}

/** A line of a scenario's output: a step is done, or it ended. */
export type Message = { readonly step: number } | { readonly outcome: Outcome }
