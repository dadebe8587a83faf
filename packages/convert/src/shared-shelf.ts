import { PLACE, Shelf } from "@sessile/core/storage"

/** What is kept for later: not what was for a record or a session that is one of its kind. */
const LARGEST_KEPT = 8 * 1024 * 1024
const MOST_KEPT = 48

/**
 * A shelf that two threads share: one fills it page by page, the other gives the pieces of each page back. Handing over
 * memory for good would have both of them clear, detach and collect it all the time.
 */
export class SharedShelf {
  readonly shelf = new Shelf((bytes) => this.#allocate(bytes))
  readonly #free: SharedArrayBuffer[] = []
  #pieces: SharedArrayBuffer[] = []

  /** Notes where in the pieces of this page a text is, as one of some places; it is put there if it is elsewhere. */
  locate(utf8: Buffer, places: Uint32Array, index: number): void {
    const piece = this.#pieces.indexOf(utf8.buffer as SharedArrayBuffer)
    const start = piece === -1 ? this.#put(utf8) : utf8.byteOffset
    places[PLACE * index] = piece === -1 ? this.#pieces.length - 1 : piece
    places[PLACE * index + 1] = start
    places[PLACE * index + 2] = utf8.length
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

  /** Puts a text into the last piece, and gives where. */
  #put(utf8: Buffer): number {
    this.shelf.roomFor(utf8.length).set(utf8, this.shelf.offset)
    const start = this.shelf.offset
    this.shelf.keep(utf8.length)
    return start
  }

  #allocate(bytes: number): Buffer {
    const position = this.#free.findIndex(({ byteLength }) => byteLength >= bytes)
    const [piece = new SharedArrayBuffer(bytes)] = position === -1 ? [] : this.#free.splice(position, 1)
    this.#pieces.push(piece)
    return Buffer.from(piece)
  }
}
