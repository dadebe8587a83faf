import type { DriverEvent } from "./model-driver.js"

/**
 * Calls `handle` for each event that a driver gives, and waits for it where it gives a promise. An event costs one
 * promise beside that of the driver. What the driver says to have failed with is thrown; when the signal comes, so is
 * its reason, even if the driver never gives another event.
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
  try {
    while (true) {
      signal.throwIfAborted()
      const next = await new Promise<IteratorResult<DriverEvent>>((resolve, reject) => {
        stop = reject
        iterator.next().then(resolve, reject)
      })
      if (next.done) return
      if (next.value.type === "error") throw next.value.error
      const handling = handle(next.value)
      if (handling !== undefined) await handling
    }
  } finally {
    signal.removeEventListener("abort", abort)
    // Nobody waits for it: a driver that hangs must not hold up whoever ends it.
    iterator.return?.().catch(() => undefined)
  }
}
