import { Worker } from "node:worker_threads"

/** Pages live so shortly that more room for what is new only takes memory. */
const YOUNG_MEGABYTES = 8

/**
 * Starts a thread for a `ThreadedSource`, which takes a while: whoever knows early that there will be something to
 * read gains time. Until it is used it does not keep the program running.
 */
export function startThread(): Worker {
  const thread = new Worker(new URL("./source-thread.js", import.meta.url), {
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
  })
  thread.unref()
  return thread
}
