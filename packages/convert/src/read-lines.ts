import { type LinePlaces, PLACE, SessionLines } from "@sessile/core/storage"
import { examine, type RecordFacts } from "./examine.js"
import { hashesIn, plainLine } from "./ledger-lines.js"
import { digestLines } from "./lines-digest.js"
import { digest, SoundRecord } from "./read-record.js"

/** Where the lines of a page are, and what else is known of their records. */
export interface LinesFound extends LinePlaces {
  /** Where the texts are. */
  readonly texts: Uint32Array
  /** How many bytes the texts of messages take, and those of parts. */
  readonly messageBytes: number
  readonly partBytes: number
  /** What takes time, unless that is left to whoever gets the page. */
  readonly measures?: LineMeasures | undefined
}

/** What hashing tells of some lines. */
export interface LineMeasures {
  /** What a ledger notes of their records when all of them have been written (see `plainLine`). */
  readonly accounts: string
  /** Of all the lines (see `digestLines`). */
  readonly linesSha256: string
}

/** Records of one session that are lines, and in good order as far as their keys and their types go. */
export class ReadLines extends SessionLines {
  readonly messageBytes: number
  readonly partBytes: number
  readonly #texts: Uint32Array
  readonly #pieces: readonly Buffer[]
  readonly #facts: (RecordFacts | undefined)[] = []
  #hashes: readonly string[] | undefined
  #measures: LineMeasures | undefined

  constructor(found: LinesFound, pieces: readonly Buffer[]) {
    super(found, pieces)
    this.messageBytes = found.messageBytes
    this.partBytes = found.partBytes
    this.#texts = found.texts
    this.#pieces = pieces
    this.#measures = found.measures
  }

  measure(): LineMeasures {
    this.#measures ??= { accounts: this.#accounts(), linesSha256: digestLines(this) }
    return this.#measures
  }

  /** Of the text, as with {@link SoundRecord}. */
  sha256(position: number): string {
    this.#hashes ??= hashesIn(this.measure().accounts)
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

  #accounts(): string {
    let accounts = ""
    for (let position = 0; position < this.length; position++) {
      accounts += plainLine(
        "written",
        this.key(position),
        digest(contentAt(this.#texts, position, this.#pieces)),
      )
    }
    return accounts
  }
}

/** What is at one of some places. */
export function contentAt(places: ArrayLike<number>, position: number, pieces: readonly Buffer[]): Buffer {
  const start = places[PLACE * position + 1] as number
  const end = start + (places[PLACE * position + 2] as number)
  return (pieces[places[PLACE * position] as number] as Buffer).subarray(start, end)
}
