import { writeSync } from "node:fs"
import type { Message } from "./scenario.js"

/** So many milliseconds go by before another try where nobody reads. */
const PAUSE = 1

/**
 * Tells whoever has started this process something. It is synchronous, so that what is reported has left this process
 * before it can be killed.
 */
export function tell(message: Message): void {
  let rest = Buffer.from(`${JSON.stringify(message)}\n`)
  while (rest.length > 0) {
    try {
      rest = rest.subarray(writeSync(1, rest))
    } catch (error) {
      // The pipe is full: it tells instead of waiting.
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EAGAIN") throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
    }
  }
}
