export { setImmediate as turn } from "node:timers/promises"

// Small files are dealt with synchronously, as a trip through the thread pool takes many times as long as the work.
// But promises that are settled already never let timers, signals and sockets have their turn.

const FILES = 64
const CHARACTERS = 256 * 1024

/** As much synchronous work as may go by before everybody else gets a turn. */
export class Slice {
  #files = 0
  #characters = 0

  /** Counts a file in, and tells whether the slice is full; if so, the next one begins. */
  isFullWith(characters = 0): boolean {
    this.#files++
    this.#characters += characters
    if (this.#files < FILES && this.#characters < CHARACTERS) return false
    this.#files = 0
    this.#characters = 0
    return true
  }
}
