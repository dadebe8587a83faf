import { decodeKey, lineOf, PLACE, type Utf8Record } from "@sessile/core/storage"
import type { LinesFound } from "./read-lines.js"
import { digest } from "./read-record.js"
import type { SharedShelf } from "./shared-shelf.js"

/** Puts the lines of a session on a shelf, one behind the other. */
export class LinePacker {
  readonly #shelf: SharedShelf
  readonly #keys: string[] = []
  readonly #hashes: string[] = []
  readonly #texts: Uint32Array
  readonly #places: Uint32Array
  readonly #types: Uint32Array
  readonly #words = new Map<string | undefined, number>()
  #sessionID: string | undefined
  #messages = 0

  constructor(shelf: SharedShelf, most: number) {
    this.#shelf = shelf
    this.#texts = new Uint32Array(PLACE * most)
    this.#places = new Uint32Array(PLACE * most)
    this.#types = new Uint32Array(most)
  }

  /** Takes a record, if it has a line and belongs to the session of those before; all messages come before any part. */
  take({ key, utf8 }: Utf8Record): boolean {
    const segments = decodeKey(key)
    const line = lineOf(segments, utf8, this.#shelf.shelf)
    if (line === undefined) return false
    this.#sessionID ??= line.sessionID
    const position = this.#keys.length
    const isMessage = segments[0] === "message"
    if (line.sessionID !== this.#sessionID || (isMessage && this.#messages < position)) return false
    if (isMessage) this.#messages++
    this.#keys.push(key)
    this.#hashes.push(digest(utf8))
    this.#shelf.locate(utf8, this.#texts, position)
    this.#shelf.locate(line.utf8, this.#places, position)
    this.#types[position] = this.#numberOf(line.type)
    return true
  }

  /** What was taken. */
  found(): LinesFound | undefined {
    if (this.#sessionID === undefined) return undefined
    return {
      sessionID: this.#sessionID,
      keys: this.#keys,
      messages: this.#messages,
      types: this.#types,
      words: [...this.#words.keys()],
      places: this.#places,
      hashes: this.#hashes.join(""),
      texts: this.#texts,
    }
  }

  #numberOf(word: string | undefined): number {
    const known = this.#words.get(word)
    if (known !== undefined) return known
    this.#words.set(word, this.#words.size)
    return this.#words.size - 1
  }
}
