import { copyFields, NOWHERE, tableOf } from "./indented.js"
import type { Shelf } from "./shelf.js"

/** Where a body in a database tells which of its fields are not the record's own. opencode passes over it. */
export const FILLED_FIELDS = "filledBySessile"

const LINE_END = 10
const SPACE = 32
const QUOTE = 34

/** What no field behind the ids is named: in a database it would be taken for something else. */
const RESERVED = ["id", "sessionID", "messageID", FILLED_FIELDS].map((name) => Buffer.from(`"${name}":`))

/** Ids and types that are the same in JSON, in every encoding, and in a line. */
const PLAIN = /^[\w-]+$/
const IS_IN_TYPE = tableOf((byte) => PLAIN.test(String.fromCharCode(byte)))

const NOTHING = Buffer.alloc(0)

const BEFORE_ID = '{\n  "id": "'
const BEFORE_TYPE = Buffer.from('"type": "')

/**
 * Makes lines of messages or parts that have the same owner: their JSON without white space between its tokens, in UTF-8,
 * with a line end behind it. Only records have one that are written just as opencode does it: laid out like its files,
 * with the ids of their keys in front, then the type of a part, then other fields.
 *
 * @example
 * ```ts
 * const maker = new LineMaker("part", messageID, sessionID)
 * const length = maker.put(id, utf8, shelf)
 * ```
 */
export class LineMaker {
  readonly #isPart: boolean
  readonly #isPlain: boolean
  /** What follows the id in a text, up to the first field that is no id. */
  readonly #behindID: string
  /** How the text of the last record began, up to that field. */
  #head: Buffer = NOTHING
  #idLength = 0

  /** The owner of messages is their session. */
  constructor(kind: "message" | "part", owner: string, sessionID: string) {
    this.#isPart = kind === "part"
    this.#isPlain = PLAIN.test(owner) && (this.#isPart ? PLAIN.test(sessionID) : owner === sessionID)
    const message = this.#isPart ? `"messageID": "${owner}",\n  ` : ""
    this.#behindID = `",\n  "sessionID": "${sessionID}",\n  ${message}`
  }

  /** Puts the line of a record on a shelf, behind what is there; gives its length, or `NOWHERE` if there is no line. */
  put(id: string, utf8: Buffer, shelf: Shelf): number {
    if (!this.#isPlain || !PLAIN.test(id)) return NOWHERE
    const head = this.#headOf(id)
    if (this.#isPart && !hasPlainType(utf8, head.length)) return NOWHERE
    const piece = shelf.roomFor(utf8.length)
    const start = shelf.offset
    const behindIDs = copyHead(head, utf8, piece, start)
    if (behindIDs === NOWHERE) return NOWHERE
    const end = copyFields(utf8, head.length, piece, behindIDs, isReserved)
    if (end === NOWHERE) return NOWHERE
    piece[end] = LINE_END
    shelf.keep(end + 1 - start)
    return end - start
  }

  #headOf(id: string): Buffer {
    // Nearly all ids are of the same length, so that one takes the place of the other.
    if (id.length === this.#idLength) this.#head.write(id, BEFORE_ID.length, "latin1")
    else this.#head = Buffer.from(`${BEFORE_ID}${id}${this.#behindID}`, "latin1")
    this.#idLength = id.length
    return this.#head
  }
}

/** Copies what a text must begin with, without white space. Gives where the copy ends, or `NOWHERE` for any other text. */
function copyHead(head: Uint8Array, utf8: Uint8Array, to: Uint8Array, start: number): number {
  let end = start
  for (let index = 0; index < head.length; index++) {
    const byte = head[index] as number
    if (utf8[index] !== byte) return NOWHERE
    if (byte > SPACE) to[end++] = byte
  }
  return end
}

/** Whether a type follows that is written without escapes. */
function hasPlainType(utf8: Uint8Array, start: number): boolean {
  if (!holdsAt(utf8, start, BEFORE_TYPE)) return false
  let end = start + BEFORE_TYPE.length
  while (IS_IN_TYPE[utf8[end] as number] === 1) end++
  return utf8[end] === QUOTE
}

/** Whether the name of a field means something else. */
function isReserved(utf8: Uint8Array, start: number, end: number): boolean {
  for (const name of RESERVED) if (name.length === end - start && holdsAt(utf8, start, name)) return true
  return false
}

function holdsAt(utf8: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (utf8[start + index] !== expected[index]) return false
  }
  return true
}
