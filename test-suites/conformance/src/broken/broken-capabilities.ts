import { type Capabilities, MemoryStorage } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { altered, fault } from "./fault.js"

/** Faults in what a store declares. */
export const brokenCapabilities: readonly BrokenAdapter[] = [
  fault("a capability is left out", ["capabilities/booleans"], (sound) => {
    const { multiProcess: _, ...declared } = sound.capabilities
    return { capabilities: declared as Capabilities }
  }),
  fault("a capability is neither true nor false", ["capabilities/booleans"], (sound) => ({
    capabilities: { ...sound.capabilities, snapshots: "sometimes" as unknown as boolean },
  })),
  fault("a capability is declared with the first batch", ["capabilities/unchanged"], (sound) => {
    let hasBatched = false
    return {
      get capabilities() {
        return { ...sound.capabilities, atomicBatch: hasBatched }
      },
      batch: async (operations, options) => {
        await sound.batch(operations, options)
        hasBatched = true
      },
    }
  }),
  {
    name: "a store that calls itself durable keeps its records in memory",
    caughtBy: ["capabilities/durable-reopens"],
    over: "files",
    wrap: (sound) => altered(new MemoryStorage(), { capabilities: sound.capabilities }),
  },
]
