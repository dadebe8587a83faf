import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

/** Below this, nobody minds what is left. */
const LARGE = 256 * 1024 * 1024

/**
 * Frees what a run that is over has left in memory. V8 does not count memory that threads share, and would keep that of a large
 * record beside the next one's.
 */
export function releaseMemory(): void {
  if (process.memoryUsage.rss() < LARGE) return
  setFlagsFromString("--expose-gc")
  const collect: () => void = runInNewContext("gc")
  collect()
}
