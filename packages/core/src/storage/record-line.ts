import { copyFields, NOWHERE, tableOf } from "./indented.js"
import type { Shelf } from "./shelf.js"

/** Where a body in a database tells which of its fields are not the record's own. opencode passes over it. */
export const FILLED_FIELDS = "filledBySessile"

const LINE_END = 10
const QUOTE = 34

/** What no field behind the ids is named: in a database it would be taken for something else. */
const RESERVED = ["id", "sessionID", "messageID", FILLED_FIELDS].map((name) => Buffer.from(`"${name}":`))

/** Ids and types that are the same in JSON, in every encoding, and in a line. */
const PLAIN = /^[\w-]+$/
const IS_IN_TYPE = tableOf((byte) => PLAIN.test(String.fromCharCode(byte)))

const BEFORE_ID = '{\n  "id": "'
const BEFORE_TYPE = '"type": "'

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
  /** What follows the id, up to the first field that is no id, in a text and in a line. */
  readonly #behindID: string
  readonly #behindIDInLine: string

  /** The owner of messages is their session. */
  constructor(kind: "message" | "part", owner: string, sessionID: string) {
    this.#isPart = kind === "part"
    this.#isPlain = PLAIN.test(owner) && (this.#isPart ? PLAIN.test(sessionID) : owner === sessionID)
    const message = this.#isPart ? owner : undefined
    this.#behindID = `",\n  "sessionID": "${sessionID}",\n  ${message ? `"messageID": "${message}",\n  ` : ""}`
    this.#behindIDInLine = `","sessionID":"${sessionID}",${message ? `"messageID":"${message}",` : ""}`
  }

  /** Puts the line of a record on a shelf, behind what is there; gives its length, or `NOWHERE` if there is no line. */
  put(id: string, utf8: Buffer, shelf: Shelf): number {
    const fields = this.#behindIDs(id, utf8)
    if (fields === NOWHERE) return NOWHERE
    const piece = shelf.roomFor(utf8.length)
    const start = shelf.offset
    const written = piece.write(`{"id":"${id}${this.#behindIDInLine}`, start, "latin1")
    const end = copyFields(utf8, fields, piece, start + written, isReserved)
    if (end === NOWHERE) return NOWHERE
    piece[end] = LINE_END
    shelf.keep(end + 1 - start)
    return end - start
  }

  /** Where the fields of a record begin that are no ids. */
  #behindIDs(id: string, utf8: Buffer): number {
    if (!this.#isPlain || !PLAIN.test(id)) return NOWHERE
    const expected = `${BEFORE_ID}${id}${this.#behindID}`
    const fields = expected.length
    if (utf8.toString("latin1", 0, fields) !== expected) return NOWHERE
    return this.#isPart && !hasPlainType(utf8, fields) ? NOWHERE : fields
  }
}

/** Whether a type follows that is written without escapes. */
function hasPlainType(utf8: Buffer, start: number): boolean {
  for (let index = 0; index < BEFORE_TYPE.length; index++) {
    if (utf8[start + index] !== BEFORE_TYPE.charCodeAt(index)) return false
  }
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
