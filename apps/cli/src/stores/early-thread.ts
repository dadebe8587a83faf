import type { Worker } from "node:worker_threads"
import { startThread } from "@sessile/convert/start-thread"

// What takes long enough that its thread had better start along with the program.
const READING_COMMANDS = ["convert", "rescue"]

let thread: Worker | undefined

/** Starts the thread that a command is going to read in, before anything else is loaded. */
export function startEarly(command: string | undefined): void {
  if (READING_COMMANDS.includes(command ?? "")) thread = startThread()
}

/** The thread that was started early, for the first one who asks. */
export function takeEarlyThread(): Worker | undefined {
  const taken = thread
  thread = undefined
  return taken
}
