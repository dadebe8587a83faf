import { decodeUtf8, type Key, type TextRecord } from "@sessile/core/storage"
import { MARK } from "./wanted-fields.js"

/** A record that belongs into a table. */
export interface RowRecord {
  readonly key: Key
  readonly value: unknown
  /** What its text tells without being parsed, where that is written as opencode does it. */
  readonly written?: WrittenText | undefined
}

/** The ids of a part, or those of a message. */
export interface Ids {
  readonly id: string | undefined
  readonly sessionID: string | undefined
  readonly messageID?: string | undefined
}

/** The text of a message or part that is indented, begins with its ids, and has no note of filled fields. */
export interface WrittenText {
  readonly utf8: Uint8Array
  readonly ids: Ids
  /** The type of a part. */
  readonly type: string | undefined
}

// Longer than any beginning with ids that opencode makes.
const BEGINNING_BYTES = 256
const BEGINNING =
  /^\{\n {2}"id": "([^"\\\x80-\xff]*)",\n {2}"sessionID": "([^"\\\x80-\xff]*)",\n {2}(?:"messageID": "([^"\\\x80-\xff]*)",\n {2})?"(?:type": "([\w-]*)")?/

/** A record of which the text is at hand. It is parsed only when somebody wants to know what it says. */
export class WrittenRecord implements RowRecord {
  readonly key: Key
  readonly written: WrittenText
  #value: unknown

  private constructor(key: Key, written: WrittenText) {
    this.key = key
    this.written = written
  }

  /** The record of a text that is known to be indented; `undefined` where more than a glance is needed. */
  static from(key: Key, { utf8, isIndented }: TextRecord): WrittenRecord | undefined {
    if (!isIndented || !Buffer.isBuffer(utf8)) return undefined
    const found = BEGINNING.exec(utf8.toString("latin1", 0, BEGINNING_BYTES))
    if (found === null || utf8.includes(MARK)) return undefined
    const [, id, sessionID, messageID, type] = found
    return new WrittenRecord(key, { utf8, ids: { id, sessionID, messageID }, type })
  }

  get value(): unknown {
    this.#value ??= JSON.parse(decodeUtf8(this.written.utf8 as Buffer))
    return this.#value
  }
}

/** Whether a text begins with just these ids. */
export function beginsWith(
  { id, sessionID, messageID }: Ids,
  written: WrittenText | undefined,
): written is WrittenText {
  if (written === undefined) return false
  const { ids } = written
  return ids.id === id && ids.sessionID === sessionID && ids.messageID === messageID
}
