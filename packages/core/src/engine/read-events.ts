import type { DriverEvent } from "./model-driver.js"

/** For how many milliseconds events may follow each other before timers and others have their turn. */
const LONGEST_TURN = 10

/**
 * Calls `handle` for each event that a driver gives, and waits for it where it returns a promise. An event costs one
 * promise beside that of the driver. What the driver says to have failed with is thrown; when the signal comes, so is
 * its reason, even if the driver never gives another event, or gives them without a pause.
 */
export async function readEvents(
  events: AsyncIterable<DriverEvent>,
  signal: AbortSignal,
  handle: (event: DriverEvent) => Promise<void> | undefined,
): Promise<void> {
  signal.throwIfAborted()
  const iterator = events[Symbol.asyncIterator]()
  let stop: (reason: unknown) => void = () => undefined
  const abort = () => stop(signal.reason)
  signal.addEventListener("abort", abort)
  let turnBegan = performance.now()
  try {
    while (true) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<DriverEvent>>((resolve, reject) => {
        stop = reject
        Promise.resolve(iterator.next()).then(resolve, reject)
      })
      if (next.done) return
      if (next.value.type === "error") throw next.value.error
      const handling = handle(next.value)
      if (handling !== undefined) await handling
      if (performance.now() - turnBegan < LONGEST_TURN) continue
      // A driver that has all its events at hand would keep everything else, also whoever cancels, from running.
      await new Promise(setImmediate)
      turnBegan = performance.now()
    }
  } finally {
    signal.removeEventListener("abort", abort)
    // Nobody waits for it: a driver that hangs must not hold up the caller that ends it.
    Promise.resolve()
      .then(() => iterator.return?.())
      .catch(() => undefined)
  }
}
