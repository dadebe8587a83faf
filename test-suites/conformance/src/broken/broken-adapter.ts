import type { Storage } from "@sessile/core/storage"
import type { Place } from "../harness.js"

/** An adapter with one deliberate fault. */
export interface BrokenAdapter {
  /** What is wrong with it. */
  readonly name: string
  /** The contracts that must catch it. */
  readonly caughtBy: readonly string[]
  /** The sound store underneath: in memory, in JSON files, or on a server that can be made to fail. */
  readonly over: "memory" | "files" | "network"
  /** Breaks a sound store. `reopened` tells whether the store was there before. */
  readonly wrap: (sound: Storage, context: { readonly place: Place; readonly reopened: boolean }) => Storage
}
