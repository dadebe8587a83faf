import { Shelf } from "@sessile/core/storage"

/** What is kept for later: not what was for a record or a session that is one of its kind. */
const LARGEST_KEPT = 8 * 1024 * 1024
const MOST_KEPT = 48

/**
 * A shelf that two threads share: one fills it with some pages, the other gives the pieces back that these took. Handing
 * over memory for good would have both of them clear, detach and collect it all the time.
 */
export class SharedShelf {
  readonly shelf = new Shelf((bytes) => this.#allocate(bytes))
  /** For lines alone, so that they come one behind the other. */
  readonly lineShelf = new Shelf((bytes) => {
    const piece = this.#allocate(bytes)
    this.#linePiece = this.#pieces.length - 1
    return piece
  })
  #linePiece = 0
  readonly #free: SharedArrayBuffer[] = []
  #pieces: Buffer[] = []

  /** The memory that has been taken since the shelf was cleared. */
  get pieces(): readonly Buffer[] {
    return this.#pieces
  }

  /** Adds to some places that of the last line, which has so many bytes and a line end behind it. */
  locateLine(bytes: number, places: number[]): void {
    places.push(this.#linePiece, this.lineShelf.offset - bytes - 1, bytes)
  }

  /** Adds to some places where in the pieces a text is; it is put there if it is elsewhere. */
  locate(utf8: Buffer, places: number[]): void {
    const piece = this.#pieces.findLastIndex(({ buffer }) => buffer === utf8.buffer)
    if (piece !== -1) {
      places.push(piece, utf8.byteOffset, utf8.length)
      return
    }
    const room = this.shelf.roomFor(utf8.length)
    room.set(utf8, this.shelf.offset)
    this.shelf.keep(utf8.length)
    this.locate(room.subarray(this.shelf.offset - utf8.length, this.shelf.offset), places)
  }

  /** Clears the shelf, and gives the memory of what was on it. */
  clear(): readonly SharedArrayBuffer[] {
    const pieces = this.#pieces.map(({ buffer }) => buffer as unknown as SharedArrayBuffer)
    this.#pieces = []
    this.shelf.leave()
    this.lineShelf.leave()
    return pieces
  }

  giveBack(pieces: readonly SharedArrayBuffer[]): void {
    for (const piece of pieces) {
      if (this.#free.length < MOST_KEPT && piece.byteLength <= LARGEST_KEPT) this.#free.push(piece)
    }
  }

  #allocate(bytes: number): Buffer {
    const position = this.#free.findIndex(({ byteLength }) => byteLength >= bytes)
    const [memory = new SharedArrayBuffer(bytes)] = position === -1 ? [] : this.#free.splice(position, 1)
    const piece = Buffer.from(memory)
    this.#pieces.push(piece)
    return piece
  }
}
