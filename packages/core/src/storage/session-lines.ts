import { encodeKey } from "./key.js"
import { decodeUtf8 } from "./utf8-record.js"

/** So many numbers tell a place: the piece that something is in, where it begins there, and how many bytes it takes. */
export const PLACE = 3

const BRACE = 0x7b

/** Where the lines of a session are. */
export interface LinePlaces {
  readonly sessionID: string
  /** Those of messages come first. */
  readonly ids: readonly string[]
  readonly messages: number
  /** The messages that parts belong to. */
  readonly owners: readonly string[]
  /** For each line which of them is its owner; nothing for messages. Parts of the same owner follow each other. */
  readonly ownerNumbers: Uint32Array
  /** In some pieces of memory. */
  readonly places: Uint32Array
}

/**
 * Messages and parts of one session as lines (see `LineMaker`), each told by its position. There may be so many of them
 * that an object for each would cost more than all that is done with it.
 */
export class SessionLines {
  readonly sessionID: string
  /** How many of them there are, and how many of these are messages, which come first. */
  readonly length: number
  readonly messages: number
  readonly #lines: LinePlaces
  readonly #pieces: readonly Buffer[]
  readonly #values: unknown[] = []

  constructor(lines: LinePlaces, pieces: readonly Buffer[]) {
    this.sessionID = lines.sessionID
    this.length = lines.ids.length
    this.messages = lines.messages
    this.#lines = lines
    this.#pieces = pieces
  }

  /** The messages that parts belong to. */
  get owners(): readonly string[] {
    return this.#lines.owners
  }

  /** The message that a part belongs to, or the session of a message. */
  owner(position: number): string {
    if (position < this.messages) return this.sessionID
    return this.#lines.owners[this.#lines.ownerNumbers[position] as number] as string
  }

  id(position: number): string {
    return this.#lines.ids[position] as string
  }

  /** The key of the record, encoded. */
  key(position: number): string {
    const kind = position < this.messages ? "message" : "part"
    return encodeKey([kind, this.owner(position), this.id(position)])
  }

  /** The keys of all records, encoded. */
  keys(): string[] {
    return Array.from({ length: this.length }, (_, position) => this.key(position))
  }

  /** Whether what follows the ids begins with some bytes. */
  beginsWith(position: number, expected: Uint8Array): boolean {
    const piece = this.#pieceOf(position)
    const start = this.#bodyStart(position)
    for (let index = 0; index < expected.length; index++) {
      if (piece[start + index] !== expected[index]) return false
    }
    return true
  }

  /** The line, without the line end that comes behind it in memory. */
  utf8(position: number): Buffer {
    return this.#pieceOf(position).subarray(this.#start(position), this.#end(position))
  }

  /** What follows the ids, up to the closing brace. */
  body(position: number): Buffer {
    return this.#pieceOf(position).subarray(this.#bodyStart(position), this.#end(position))
  }

  /**
   * Hands over a record's fields without the ids, as one JSON object. The line itself holds the brace in front of them until
   * `use` returns: a copy of a large record would cost as much memory again.
   */
  withBody<T>(position: number, use: (body: Buffer) => T): T {
    const piece = this.#pieceOf(position)
    const brace = this.#bodyStart(position) - 1
    const byte = piece[brace] as number
    piece[brace] = BRACE
    try {
      return use(piece.subarray(brace, this.#end(position)))
    } finally {
      piece[brace] = byte
    }
  }

  /** Some of the lines, each with the line end behind it; those that lie one behind the other come together. */
  *stretches(isWanted: (position: number) => boolean): Generator<Buffer, void, void> {
    const { places } = this.#lines
    let [piece, start, end] = [0, 0, 0]
    for (let position = 0; position < this.length; position++) {
      if (!isWanted(position)) continue
      const place = PLACE * position
      if (places[place] !== piece || places[place + 1] !== end) {
        if (end > start) yield (this.#pieces[piece] as Buffer).subarray(start, end)
        piece = places[place] as number
        start = places[place + 1] as number
        end = start
      }
      end += (places[place + 2] as number) + 1
    }
    if (end > start) yield (this.#pieces[piece] as Buffer).subarray(start, end)
  }

  /** What a line says. That of a message is remembered. */
  value(position: number): unknown {
    if (position >= this.messages) return parse(this.utf8(position))
    this.#values[position] ??= parse(this.utf8(position))
    return this.#values[position]
  }

  #bodyStart(position: number): number {
    const ids = this.id(position).length + this.sessionID.length
    if (position < this.messages) return this.#start(position) + '{"id":"","sessionID":"",'.length + ids
    return (
      this.#start(position) +
      '{"id":"","sessionID":"","messageID":"",'.length +
      ids +
      this.owner(position).length
    )
  }

  #start(position: number): number {
    return this.#lines.places[PLACE * position + 1] as number
  }

  #end(position: number): number {
    return this.#start(position) + (this.#lines.places[PLACE * position + 2] as number)
  }

  #pieceOf(position: number): Buffer {
    return this.#pieces[this.#lines.places[PLACE * position] as number] as Buffer
  }
}

function parse(utf8: Buffer): unknown {
  return JSON.parse(decodeUtf8(utf8))
}
