import {
  beginningOf,
  decodeUtf8,
  type Key,
  type RecordBeginning,
  type TextRecord,
} from "@sessile/core/storage"
import { MARK } from "./wanted-fields.js"

/** A record that belongs into a table. */
export interface RowRecord {
  readonly key: Key
  readonly value: unknown
  /** What its text tells without being parsed, where that is written as opencode does it. */
  readonly written?: WrittenText | undefined
}

/** The text of a message or part that is indented, begins with its ids, and has no note of filled fields. */
export interface WrittenText {
  readonly utf8: Buffer
  readonly beginning: RecordBeginning
}

/** The ids of a part, or those of a message. */
export interface Ids {
  readonly id: string
  readonly sessionID: string | undefined
  readonly messageID?: string | undefined
}

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
    const beginning = beginningOf(utf8)
    if (beginning === undefined || utf8.includes(MARK)) return undefined
    return new WrittenRecord(key, { utf8, beginning })
  }

  get value(): unknown {
    this.#value ??= JSON.parse(decodeUtf8(this.written.utf8))
    return this.#value
  }
}

/** Whether a text begins with just these ids. */
export function beginsWith(
  { id, sessionID, messageID }: Ids,
  written: WrittenText | undefined,
): written is WrittenText {
  if (written === undefined) return false
  const { beginning } = written
  return beginning.id === id && beginning.sessionID === sessionID && beginning.messageID === messageID
}
