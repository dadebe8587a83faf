import { copyIndented, NOWHERE } from "./indented.js"
import type { Key } from "./key.js"
import { beginningOf, type RecordBeginning } from "./record-beginning.js"
import type { Shelf } from "./shelf.js"

/** A message or part as one line of JSON. */
export interface RecordLine {
  /**
   * The JSON without white space between its tokens, in UTF-8: the ids, then the other fields. In memory, a line end
   * comes behind it.
   */
  readonly utf8: Buffer
  readonly sessionID: string
  /** The type of a part, which is the first field behind the ids. */
  readonly type: string | undefined
}

/** Where a body in a database tells which of its fields are not the record's own. opencode passes over it. */
export const FILLED_FIELDS = "filledBySessile"

const LINE_END = 10

/** What no field behind the ids is named: in a database it would be taken for something else. */
const RESERVED = ["id", "sessionID", "messageID", FILLED_FIELDS].map((name) => Buffer.from(`"${name}"`))

/**
 * The line of a message or part that is written just as opencode does it: laid out like its files, with the ids of its
 * key in front, then the type of a part, then its other fields. `undefined` for any other record. It is put on a shelf,
 * behind the line before.
 */
export function lineOf(key: Key, utf8: Buffer, shelf: Shelf): RecordLine | undefined {
  const beginning = beginningOf(utf8)
  if (beginning === undefined || !isThatOf(key, beginning)) return undefined
  const piece = shelf.roomFor(utf8.length)
  const start = shelf.offset
  const names: number[] = []
  const end = copyIndented(utf8, piece, start, names)
  if (end === NOWHERE || hasReservedName(piece, names, beginning)) return undefined
  piece[end] = LINE_END
  shelf.keep(end + 1 - start)
  const type = key[0] === "part" ? beginning.type : undefined
  return { utf8: piece.subarray(start, end), sessionID: beginning.sessionID, type }
}

function isThatOf([kind, owner, id, ...below]: Key, beginning: RecordBeginning): boolean {
  if (below.length > 0 || beginning.id !== id) return false
  if (kind === "part") return beginning.messageID === owner && beginning.type !== undefined
  return kind === "message" && beginning.sessionID === owner && beginning.messageID === undefined
}

/** Whether one of the fields behind the ids has a name that means something else. */
function hasReservedName(line: Buffer, names: readonly number[], { messageID }: RecordBeginning): boolean {
  for (let index = messageID === undefined ? 2 : 3; index < names.length; index++) {
    const start = names[index] as number
    if (RESERVED.some((name) => holdsAt(line, start, name))) return true
  }
  return false
}

function holdsAt(utf8: Buffer, start: number, expected: Buffer): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (utf8[start + index] !== expected[index]) return false
  }
  return true
}
