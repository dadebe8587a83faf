/** What the text of a message or a part tells at its beginning, as opencode writes it: its ids, and the type of a part. */
export interface RecordBeginning {
  readonly id: string
  readonly sessionID: string
  readonly messageID: string | undefined
  readonly type: string | undefined
}

// Longer than any beginning with ids that opencode makes.
const BYTES = 256

// Only ASCII, for which all encodings are the same.
const BEGINNING =
  /^\{\n {2}"id": "([^"\\\x80-\xff]*)",\n {2}"sessionID": "([^"\\\x80-\xff]*)",\n {2}(?:"messageID": "([^"\\\x80-\xff]*)",\n {2})?"(?:type": "([\w-]*)")?/

/** How an indented text begins (see `isIndented`), without being parsed; `undefined` where it does not begin with ids. */
export function beginningOf(utf8: Buffer): RecordBeginning | undefined {
  const found = BEGINNING.exec(utf8.toString("latin1", 0, BYTES))
  if (found === null) return undefined
  const [, id = "", sessionID = "", messageID, type] = found
  return { id, sessionID, messageID, type }
}
