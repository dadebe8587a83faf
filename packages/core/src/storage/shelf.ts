/** Much more than a record takes: what is left at the end of a piece is lost. */
const PIECE = 256 * 1024

const NOTHING = Buffer.alloc(0)

/**
 * Memory for many small records, one behind the other: a buffer for each would cost as much as reading it.
 *
 * @example
 * ```ts
 * const length = readSync(file, shelf.roomFor(4096), shelf.offset, 4096)
 * shelf.keep(length)
 * ```
 */
export class Shelf {
  readonly #allocate: (bytes: number) => Buffer
  #piece: Buffer = NOTHING
  #offset = 0

  /** `allocate` gives the pieces of memory, of at least so many bytes each. */
  constructor(allocate: (bytes: number) => Buffer = Buffer.allocUnsafeSlow) {
    this.#allocate = allocate
  }

  /** Where the next thing may be put in the memory that `roomFor` gave. */
  get offset(): number {
    return this.#offset
  }

  /** Memory that has at least so many bytes from `offset` on. */
  roomFor(bytes: number): Buffer {
    if (this.#piece === NOTHING || this.#piece.length - this.#offset < bytes) {
      this.#piece = this.#allocate(Math.max(bytes, PIECE))
      this.#offset = 0
    }
    return this.#piece
  }

  /** Keeps what was put there: the next thing comes behind it. */
  keep(bytes: number): void {
    this.#offset += bytes
  }

  /** Leaves the memory to what is in it: the next thing goes elsewhere. */
  leave(): void {
    this.#piece = NOTHING
    this.#offset = 0
  }
}
