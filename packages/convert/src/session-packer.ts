import {
  decodeKey,
  encodeKey,
  LineMaker,
  NOWHERE,
  type ShelvedFolder,
  type TextEntry,
  Utf8Record,
} from "@sessile/core/storage"
import type { LinesFound } from "./read-lines.js"
import { type FaultyRecord, hasUtf8, lookInto, takeRecord } from "./read-record.js"
import type { SharedShelf } from "./shared-shelf.js"
import { packPage, type SourcePage } from "./source-page.js"

/** Packs the records of a session: messages and parts as lines, where they have such, one behind the other on a shelf. */
export class SessionPacker {
  readonly #shelf: SharedShelf
  readonly #sessionID: string
  #others: (Utf8Record | FaultyRecord)[] = []
  #lines: Lines = new Lines()
  #maker: LineMaker | undefined
  /** The kind and the owner that the maker is for. */
  #makes = ""
  #bytes = 0

  constructor(shelf: SharedShelf, sessionID: string) {
    this.#shelf = shelf
    this.#sessionID = sessionID
  }

  /** How many bytes the texts take that have been taken since the last page. */
  get bytes(): number {
    return this.#bytes
  }

  take(entry: TextEntry): void {
    const record = takeRecord(entry)
    const [kind, owner = "", id = "", ...below] = decodeKey(record.key)
    if (hasUtf8(record) && below.length === 0 && (kind === "message" || kind === "part")) {
      this.#put(kind, owner, id, record.utf8)
    } else this.#others.push(record)
  }

  takeFolder(kind: "message" | "part", owner: string, { ids, contents }: ShelvedFolder): void {
    for (let index = 0; index < ids.length; index++) {
      this.#put(kind, owner, ids[index] as string, contents[index] as Buffer)
    }
  }

  /** A page of what was taken since the last one. */
  turn(): SourcePage {
    const found = this.#lines.found(this.#sessionID)
    const page = packPage(this.#others.map(lookInto), this.#shelf, found)
    this.#others = []
    this.#lines = new Lines()
    this.#bytes = 0
    return page
  }

  #put(kind: "message" | "part", owner: string, id: string, utf8: Buffer): void {
    this.#bytes += utf8.length
    const isLate = kind === "message" && this.#lines.hasParts
    const length = isLate ? NOWHERE : this.#makerFor(kind, owner).put(id, utf8, this.#shelf.lineShelf)
    if (length === NOWHERE) this.#others.push(new Utf8Record(encodeKey([kind, owner, id]), utf8))
    else this.#lines.add(kind, owner, id, utf8, length, this.#shelf)
  }

  #makerFor(kind: "message" | "part", owner: string): LineMaker {
    const wanted = `${kind}\0${owner}`
    if (this.#maker === undefined || this.#makes !== wanted) {
      this.#maker = new LineMaker(kind, owner, this.#sessionID)
      this.#makes = wanted
    }
    return this.#maker
  }
}

/** What is known of the lines of a page. Messages come before parts. */
class Lines {
  readonly #ids: string[] = []
  readonly #owners: string[] = []
  readonly #ownerNumbers: number[] = []
  readonly #places: number[] = []
  readonly #texts: number[] = []
  #messages = 0
  #messageBytes = 0
  #partBytes = 0

  get hasParts(): boolean {
    return this.#ids.length > this.#messages
  }

  /** Adds the last line on a shelf, by its length, and the text that it is made of. */
  add(
    kind: "message" | "part",
    owner: string,
    id: string,
    text: Buffer,
    length: number,
    shelf: SharedShelf,
  ): void {
    this.#ids.push(id)
    shelf.locate(text, this.#texts)
    shelf.locateLine(length, this.#places)
    if (kind === "message") {
      this.#messages++
      this.#messageBytes += text.length
    } else {
      this.#partBytes += text.length
      if (this.#owners.at(-1) !== owner) this.#owners.push(owner)
    }
    this.#ownerNumbers.push(Math.max(0, this.#owners.length - 1))
  }

  found(sessionID: string): LinesFound | undefined {
    if (this.#ids.length === 0) return undefined
    return {
      sessionID,
      ids: this.#ids,
      messages: this.#messages,
      owners: this.#owners,
      ownerNumbers: new Uint32Array(this.#ownerNumbers),
      places: new Uint32Array(this.#places),
      texts: new Uint32Array(this.#texts),
      messageBytes: this.#messageBytes,
      partBytes: this.#partBytes,
    }
  }
}
