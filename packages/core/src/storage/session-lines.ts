import { decodeUtf8 } from "./utf8-record.js"

/** So many numbers tell a place: the piece that something is in, where it begins there, and how many bytes it takes. */
export const PLACE = 3

/** Where the lines of a session are. */
export interface LinePlaces {
  readonly sessionID: string
  /** Encoded; those of messages come first. */
  readonly keys: readonly string[]
  readonly messages: number
  /** For each line which of the words is the type of the part. */
  readonly types: Uint32Array
  readonly words: readonly (string | undefined)[]
  /** In some pieces of memory. */
  readonly places: Uint32Array
}

/**
 * Messages and parts of one session as lines (see `lineOf`), each told by its position. There may be so many of them that
 * an object for each would cost more than all that is done with it.
 */
export class SessionLines {
  readonly sessionID: string
  /** Encoded; those of messages come first. */
  readonly keys: readonly string[]
  /** How many of them are messages. */
  readonly messages: number
  readonly #lines: LinePlaces
  readonly #pieces: readonly Buffer[]
  readonly #values: unknown[] = []
  #lastPrefix = "\0"
  #lastOwner = ""

  constructor(lines: LinePlaces, pieces: readonly Buffer[]) {
    this.sessionID = lines.sessionID
    this.keys = lines.keys
    this.messages = lines.messages
    this.#lines = lines
    this.#pieces = pieces
  }

  get length(): number {
    return this.keys.length
  }

  /** The message that a part belongs to, or the session of a message. */
  owner(position: number): string {
    if (position < this.messages) return this.sessionID
    const key = this.keys[position] as string
    // Most parts follow others of their message, and one and the same string is the fastest to look up.
    if (!key.startsWith(this.#lastPrefix)) {
      this.#lastPrefix = key.slice(0, key.lastIndexOf("\0") + 1)
      this.#lastOwner = this.#lastPrefix.slice("part\0".length, -1)
    }
    return this.#lastOwner
  }

  id(position: number): string {
    const key = this.keys[position] as string
    return key.slice(key.lastIndexOf("\0") + 1)
  }

  /** The type of a part. */
  type(position: number): string | undefined {
    return this.#lines.words[this.#lines.types[position] as number]
  }

  /** The line, without the line end that comes behind it in memory. */
  utf8(position: number): Buffer {
    return this.#behind(position, 0)
  }

  /** What follows the ids, up to the closing brace. */
  body(position: number): Buffer {
    const ids = (this.keys[position] as string).length - this.#kindLength(position) - 1
    // The key of a message names its session, that of a part does not.
    if (position < this.messages) return this.#behind(position, '{"id":"","sessionID":"",'.length + ids)
    return this.#behind(
      position,
      '{"id":"","sessionID":"","messageID":"",'.length + ids + this.sessionID.length,
    )
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

  /** How long a key is up to its second segment. */
  #kindLength(position: number): number {
    return (position < this.messages ? "message\0" : "part\0").length
  }

  #behind(position: number, offset: number): Buffer {
    const { places } = this.#lines
    const start = places[PLACE * position + 1] as number
    const end = start + (places[PLACE * position + 2] as number)
    return (this.#pieces[places[PLACE * position] as number] as Buffer).subarray(start + offset, end)
  }
}

function parse(utf8: Buffer): unknown {
  return JSON.parse(decodeUtf8(utf8))
}
