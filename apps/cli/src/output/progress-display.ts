import type { Progress } from "@sessile/convert"
import { progressLine } from "./progress-line.js"

/** Where progress is shown. */
export interface ProgressScreen {
  readonly isTTY?: boolean | undefined
  readonly columns?: number | undefined
  write(text: string): unknown
}

const REDRAW_INTERVAL = 100
const LINE_INTERVAL = 5_000

const CLEAR_LINE = "\r\u001b[K"

/** Shows progress: on a terminal in one line that is drawn anew, elsewhere in a line every few seconds. */
export class ProgressDisplay implements Disposable {
  readonly #screen: ProgressScreen
  readonly #now: () => number
  #phase: Progress["phase"] | undefined
  #began = 0
  #shown: number

  constructor(screen: ProgressScreen = process.stderr, now: () => number = Date.now) {
    this.#screen = screen
    this.#now = now
    this.#shown = now()
  }

  show(progress: Progress): void {
    const now = this.#now()
    if (progress.phase !== this.#phase) {
      this.#phase = progress.phase
      this.#began = now
    }
    if (now - this.#shown < (this.#screen.isTTY ? REDRAW_INTERVAL : LINE_INTERVAL)) return
    this.#shown = now
    const elapsed = now - this.#began
    if (!this.#screen.isTTY) this.#screen.write(`${progressLine(progress, elapsed)}\n`)
    // A line that reached the last column would go over to the next one.
    else this.#screen.write(CLEAR_LINE + progressLine(progress, elapsed, (this.#screen.columns ?? 80) - 1))
  }

  /** Takes the line away, so that something else can be written. */
  clear(): void {
    if (this.#screen.isTTY && this.#phase !== undefined) this.#screen.write(CLEAR_LINE)
  }

  [Symbol.dispose](): void {
    this.clear()
  }
}
