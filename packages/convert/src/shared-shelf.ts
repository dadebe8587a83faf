import { Shelf } from "@sessile/core/storage"

/** What is kept for later: not what was for a record or a session that is one of its kind. */
const LARGEST_KEPT = 8 * 1024 * 1024
const MOST_KEPT = 8

/** The piece that something is in, where it begins there, and how many bytes it takes. */
export type Place = readonly [piece: number, start: number, length: number]

/**
 * A shelf that two threads share: one fills it page by page, the other gives the pieces of each page back. Handing over
 * memory for good would have both of them clear, detach and collect it all the time.
 */
export class SharedShelf {
  readonly shelf = new Shelf((bytes) => this.#allocate(bytes))
  readonly #free: SharedArrayBuffer[] = []
  #pieces: SharedArrayBuffer[] = []

  /** Where in the pieces of this page a text is; it is put there if it is elsewhere. */
  locate(utf8: Buffer): Place {
    const piece = this.#pieces.indexOf(utf8.buffer as SharedArrayBuffer)
    return piece === -1 ? this.#put(utf8) : [piece, utf8.byteOffset, utf8.length]
  }

  /** Ends the page, and gives its pieces. */
  turn(): readonly SharedArrayBuffer[] {
    const pieces = this.#pieces
    this.#pieces = []
    this.shelf.leave()
    return pieces
  }

  giveBack(pieces: readonly SharedArrayBuffer[]): void {
    for (const piece of pieces) {
      if (this.#free.length < MOST_KEPT && piece.byteLength <= LARGEST_KEPT) this.#free.push(piece)
    }
  }

  #put(utf8: Buffer): Place {
    this.shelf.roomFor(utf8.length).set(utf8, this.shelf.offset)
    const place = [this.#pieces.length - 1, this.shelf.offset, utf8.length] as const
    this.shelf.keep(utf8.length)
    return place
  }

  #allocate(bytes: number): Buffer {
    const position = this.#free.findIndex(({ byteLength }) => byteLength >= bytes)
    const [piece = new SharedArrayBuffer(bytes)] = position === -1 ? [] : this.#free.splice(position, 1)
    this.#pieces.push(piece)
    return Buffer.from(piece)
  }
}
