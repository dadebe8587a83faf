import type { NetworkStorage } from "./network-storage.js"
import type { NetworkServer } from "./server.js"

/** The networked adapter, or its server, with one deliberate fault. */
export interface NetworkMutant {
  /** What is wrong with it. */
  readonly name: string
  /** The contracts that must catch it. */
  readonly caughtBy: readonly string[]
  readonly storage?: typeof NetworkStorage
  readonly server?: typeof NetworkServer
}
