import type { Timer } from "../session/session-context.js"

/** What `work` gives; when the signal comes first, its reason is thrown and nobody listens to `work` any more. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason)
    const settle = () => signal.removeEventListener("abort", abort)
    signal.addEventListener("abort", abort)
    work.then(resolve, reject).finally(settle)
    if (signal.aborted) abort()
  })
}

/** Resolves after `delay` milliseconds; rejects with the reason of the signal when that comes first. */
export function sleep(timer: Timer, delay: number, signal: AbortSignal): Promise<void> {
  let cancel: () => void = () => undefined
  const elapsed = new Promise<void>((resolve) => {
    cancel = timer(resolve, delay)
  })
  return orAborted(elapsed, signal).finally(cancel)
}
