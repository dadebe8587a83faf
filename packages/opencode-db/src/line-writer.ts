import { decodeKey, type SessionLines, type TextEntry } from "@sessile/core/storage"
import type { Row, SqlValue } from "./column.js"
import type { GivenTimes } from "./given-times.js"
import { type LineReceipt, RowRuns } from "./line-receipt.js"
import { inTheWay, refusalOf } from "./obstacles.js"
import { messageCreated, messageUpdated, partCreated } from "./record-time.js"
import type { RowRecord } from "./row-record.js"
import type { RowTable } from "./row-table.js"
import type { SessionTotals } from "./session-totals.js"

/** What lines are added to. */
export interface LineTarget {
  readonly totals: SessionTotals
  /** What is known of a session that is there. */
  session(id: string): Row | undefined
  /** The same, where one is made if it is not. */
  needSession(id: string): Row
  /** What is known of a message that is there. */
  message(id: string): Row | undefined
  noteMessage(id: string, message: Row): void
  /** Adds a record in any way; gives what is in its way. */
  add(record: RowRecord): TextEntry | undefined
}

/** What is larger is read back by itself. */
const LARGE = 1024 * 1024

/**
 * Adds messages and parts that are lines. Most records of all are such, and become rows nearly without being looked at;
 * those that are unfit are added like records without lines.
 */
export class LineWriter {
  readonly #lines: SessionLines
  readonly #unfit: ReadonlySet<number>
  readonly #target: LineTarget
  readonly #givenTimes: GivenTimes
  /** What was in the way of lines, by position. */
  readonly present = new Map<number, TextEntry>()
  readonly #messageRows = new RowRuns()
  readonly #partRows = new RowRuns()

  constructor(lines: SessionLines, unfit: ReadonlySet<number>, target: LineTarget, givenTimes: GivenTimes) {
    this.#lines = lines
    this.#unfit = unfit
    this.#target = target
    this.#givenTimes = givenTimes
  }

  /** Tells the rows of all lines that were added as they are. */
  get receipt(): LineReceipt {
    return { message: this.#messageRows.runs, part: this.#partRows.runs }
  }

  /** Adds the messages. */
  addMessages(table: RowTable): void {
    const { sessionID, messages } = this.#lines
    let session = this.#target.session(sessionID)
    for (let position = 0; position < messages; position++) {
      if (this.#unfit.has(position)) {
        this.#addRecord(position)
        continue
      }
      const id = this.#lines.id(position)
      // A session is not made for the sake of what is not going to be added.
      if (session === undefined && table.find("id", id) !== undefined) {
        this.present.set(position, inTheWay(table, ["message", sessionID, id]))
        continue
      }
      session ??= this.#target.needSession(sessionID)
      const value = this.#lines.value(position)
      const derived = messageCreated(value, id, Number(session.time_created))
      const given = this.#givenTimes.timeOf("message", sessionID, id)
      const [created, updated] = given ?? [derived, messageUpdated(value, derived)]
      const row = (body: Buffer) => [sessionID, id, body, created, updated]
      if (!this.#insert(table, row, position, this.#messageRows)) continue
      this.#target.noteMessage(id, { session_id: sessionID, time_created: created })
      this.#target.totals.addMessage(session, id, value)
    }
  }

  /** Adds the parts, once all messages are there. */
  addParts(table: RowTable): void {
    const { sessionID, length } = this.#lines
    let messageID: string | undefined
    let message: Row | undefined
    for (let position = this.#lines.messages; position < length; position++) {
      const owner = this.#lines.owner(position)
      if (owner !== messageID) {
        messageID = owner
        message = this.#target.message(messageID)
      }
      if (message?.session_id !== sessionID || this.#unfit.has(position)) {
        this.#addRecord(position)
        continue
      }
      const id = this.#lines.id(position)
      const derived = partCreated(id, message.time_created as number)
      const [created, updated] = this.#givenTimes.timeOf("part", sessionID, id) ?? [derived, derived]
      const row = (body: Buffer) => [owner, id, sessionID, body, created, updated]
      this.#insert(table, row, position, this.#partRows)
    }
  }

  #insert(table: RowTable, row: (body: Buffer) => SqlValue[], position: number, rows: RowRuns): boolean {
    const keyOf = () => decodeKey(this.#lines.key(position))
    try {
      const [number, bytes] = this.#lines.withBody(position, (body) => {
        return [table.insertBody(...row(body)), body.length]
      })
      if (number !== undefined) {
        rows.add(number, bytes > LARGE)
        return true
      }
      this.present.set(position, inTheWay(table, keyOf()))
    } catch (error) {
      this.present.set(position, refusalOf(error, keyOf()))
    }
    return false
  }

  #addRecord(position: number): void {
    const key = decodeKey(this.#lines.key(position))
    const inTheWay = this.#target.add({ key, value: this.#lines.value(position) })
    if (inTheWay !== undefined) this.present.set(position, inTheWay)
  }
}
