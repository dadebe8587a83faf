import { type LinePlaces, PLACE, SessionLines } from "@sessile/core/storage"
import { examine, type RecordFacts } from "./examine.js"
import { hashesIn } from "./ledger-lines.js"
import { digestLines } from "./lines-digest.js"
import { SoundRecord } from "./read-record.js"
import type { Place } from "./shared-shelf.js"

/** Where the lines of a page are, and what else is known of their records. */
export interface LinesFound extends LinePlaces {
  /** Of all the lines (see `digestLines`), unless that is left to whoever gets the page. */
  readonly linesSha256?: string | undefined
  /** Where the texts are. */
  readonly texts: Uint32Array
  /** How many bytes the texts of messages take, and those of parts. */
  readonly messageBytes: number
  readonly partBytes: number
  /** What a ledger notes of the records when all of them have been written, one behind the other. */
  readonly accounts: Place
}

/** Records of one session that are lines, and in good order as far as their keys and their types go. */
export class ReadLines extends SessionLines {
  readonly messageBytes: number
  readonly partBytes: number
  /** What a ledger notes of the records when all of them have been written. */
  readonly accounts: Buffer
  readonly #texts: Uint32Array
  readonly #pieces: readonly Buffer[]
  readonly #facts: (RecordFacts | undefined)[] = []
  #hashes: readonly string[] | undefined
  #linesSha256: string | undefined

  constructor(found: LinesFound, pieces: readonly Buffer[]) {
    super(found, pieces)
    this.#linesSha256 = found.linesSha256
    this.messageBytes = found.messageBytes
    this.partBytes = found.partBytes
    this.accounts = contentAt(found.accounts, 0, pieces)
    this.#texts = found.texts
    this.#pieces = pieces
  }

  /** Of all the lines (see `digestLines`). */
  get linesSha256(): string {
    this.#linesSha256 ??= digestLines(this)
    return this.#linesSha256
  }

  /** Of the text, as with {@link SoundRecord}. */
  sha256(position: number): string {
    this.#hashes ??= hashesIn(this.accounts)
    return this.#hashes[position] as string
  }

  /** What a record tells beyond its key. A part tells nothing. */
  facts(position: number): RecordFacts | undefined {
    if (position >= this.messages) return undefined
    this.#facts[position] ??= examine(["message", this.sessionID, this.id(position)], this.value(position))
    return this.#facts[position]
  }

  /** Whether there is anything odd about a record. */
  isRemarkable(): boolean {
    for (let position = 0; position < this.messages; position++) {
      if (this.facts(position)?.remarks !== undefined) return true
    }
    return false
  }

  /** A record as it was read. */
  record(position: number): SoundRecord {
    const utf8 = contentAt(this.#texts, position, this.#pieces)
    return new SoundRecord(this.key(position), utf8, this.sha256(position), this.facts(position))
  }

  records(): SoundRecord[] {
    return Array.from({ length: this.length }, (_, position) => this.record(position))
  }
}

/** What is at one of some places. */
export function contentAt(places: ArrayLike<number>, position: number, pieces: readonly Buffer[]): Buffer {
  const start = places[PLACE * position + 1] as number
  const end = start + (places[PLACE * position + 2] as number)
  return (pieces[places[PLACE * position] as number] as Buffer).subarray(start, end)
}
