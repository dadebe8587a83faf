/** How far an operation has come. */
export interface Progress {
  readonly phase: "checking" | "converting" | "verifying" | "reading"
  readonly records: number
  readonly bytes: number
  /** How many records there are to go through, where that is known. */
  readonly total?: number | undefined
}

/** Tells of progress, page by page. */
export class ProgressMeter {
  readonly #phase: Progress["phase"]
  readonly #total: number | undefined
  readonly #tell: ((progress: Progress) => void) | undefined
  #records = 0
  #bytes = 0

  constructor(phase: Progress["phase"], total: number | undefined, tell?: (progress: Progress) => void) {
    this.#phase = phase
    this.#total = total
    this.#tell = tell
  }

  advance(records: number, bytes: number): void {
    this.#records += records
    this.#bytes += bytes
    this.#tell?.({ phase: this.#phase, records: this.#records, bytes: this.#bytes, total: this.#total })
  }
}
