import { type LinePlaces, PLACE, SessionLines } from "@sessile/core/storage"
import { examine, type RecordFacts } from "./examine.js"
import { SoundRecord } from "./read-record.js"

/** Where the lines of a page are, and what else is known of their records. */
export interface LinesFound extends LinePlaces {
  /** The hashes of the texts, one behind the other. */
  readonly hashes: string
  /** Where the texts are. */
  readonly texts: Uint32Array
}

export const HASH_LENGTH = 64

/** Records of one session that are lines, and in good order as far as their keys and their types go. */
export class ReadLines extends SessionLines {
  readonly #found: LinesFound
  readonly #pieces: readonly Buffer[]
  readonly #facts: (RecordFacts | undefined)[] = []

  constructor(found: LinesFound, pieces: readonly Buffer[]) {
    super(found, pieces)
    this.#found = found
    this.#pieces = pieces
  }

  /** Of the text, as with {@link SoundRecord}. */
  sha256(position: number): string {
    return this.#found.hashes.slice(HASH_LENGTH * position, HASH_LENGTH * (position + 1))
  }

  /** The length of the text. */
  bytes(position: number): number {
    return this.#found.texts[PLACE * position + 2] as number
  }

  /** What a record tells beyond its key. A part tells nothing. */
  facts(position: number): RecordFacts | undefined {
    if (position >= this.messages) return undefined
    this.#facts[position] ??= examine(["message", this.sessionID, this.id(position)], this.value(position))
    return this.#facts[position]
  }

  /** A record as it was read. */
  record(position: number): SoundRecord {
    const utf8 = contentAt(this.#found.texts, position, this.#pieces)
    return new SoundRecord(this.keys[position] as string, utf8, this.sha256(position), this.facts(position))
  }

  records(): SoundRecord[] {
    return this.keys.map((_, position) => this.record(position))
  }
}

/** What is at one of some places. */
export function contentAt(places: Uint32Array, position: number, pieces: readonly Buffer[]): Buffer {
  const start = places[PLACE * position + 1] as number
  const end = start + (places[PLACE * position + 2] as number)
  return (pieces[places[PLACE * position] as number] as Buffer).subarray(start, end)
}
