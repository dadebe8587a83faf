/** Draws that look random and are the same for the same seed. */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A number from 0 up to, but not including, 1. */
  fraction(): number {
    // mulberry32: one word of state, a period of 2^32, and even enough for sizes and texts
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }

  /** An integer from `least` to `most`, either of them included. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.fraction() * (most - least + 1))
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.integer(0, choices.length - 1)] as T
  }

  /** An integer of at least 1: half of them are below `median`, and a few are many times as large. */
  longTailed(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.fraction())) * Math.cos(2 * Math.PI * this.fraction())
    return Math.max(1, Math.round(median * Math.exp(spread * normal)))
  }

  bytes(size: number): Uint8Array {
    return Uint8Array.from({ length: size }, () => this.integer(0, 255))
  }

  /** A hash of git: 40 hexadecimal digits. */
  hash(): string {
    return Buffer.from(this.bytes(20)).toString("hex")
  }
}
