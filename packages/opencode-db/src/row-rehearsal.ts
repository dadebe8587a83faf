import { encodeKey, type Key, type TextEntry } from "@sessile/core/storage"
import { at } from "./json-object.js"
import { homeless, inTheWay, taken, timesInTheWay } from "./obstacles.js"
import { ROW_TIMES } from "./record-kind.js"
import type { RowRecord } from "./row-record.js"
import type { RowTable } from "./row-table.js"
import type { RowWriter } from "./row-writer.js"

/** Tells what a {@link RowWriter} would come to, and adds nothing. What would be added counts as there from then on. */
export class RowRehearsal {
  readonly #writer: RowWriter
  readonly #tables: ReadonlyMap<string, RowTable>
  readonly #added = new Set<string>()
  /** Those of the sessions in there that would be added together with what is asked about now. */
  #newSessions = new Set<string>()

  constructor(writer: RowWriter, tables: ReadonlyMap<string, RowTable>) {
    this.#writer = writer
    this.#tables = tables
  }

  /**
   * What would be in the way of each of some records that are added together, or why it has no place; owners come
   * before what they own.
   */
  add(records: readonly RowRecord[]): (TextEntry | undefined)[] {
    this.#newSessions = new Set()
    return records.map((record) => this.#addOne(record))
  }

  #addOne(record: RowRecord): TextEntry | undefined {
    const { key } = record
    if (key[0] === ROW_TIMES) return this.#addTimes(key)
    const table = this.#table(key[0])
    const encoded = encodeKey(key)
    if (this.#writer.isTaken(key)) return inTheWay(table, key)
    if (this.#hasAdded(key)) return { key: encoded, error: taken(table, key) }
    if (this.#isEmptyList(record)) return { key: encoded, text: "[]" }
    if (table.kind.name === "part" && !this.#isThere("message", key[1] as string)) {
      const sessionID = at(record.value, ["sessionID"])
      if (typeof sessionID !== "string" || sessionID === "") return { key: encoded, error: homeless(key) }
      this.#note("message", key[1] as string)
      this.#note("session", sessionID)
    }
    if (table.kind.name === "message") this.#note("session", key[1] as string)
    this.#note(table.kind.name, key.at(-1) as string)
    return undefined
  }

  #addTimes(key: Key): TextEntry | undefined {
    if (this.#newSessions.has(key[1] as string)) return undefined
    return timesInTheWay(key, this.#isThere("session", key[1] as string))
  }

  #isEmptyList(record: RowRecord): boolean {
    const { key } = record
    if (!this.#table(key[0]).kind.isList) return false
    if (!Array.isArray(record.value) || record.value.length > 0) return false
    return this.#writer.isEmptyList(key) || this.#added.has(`session\0${key[1]}`)
  }

  #isThere(kind: string, id: string): boolean {
    return this.#added.has(`${kind}\0${id}`) || this.#table(kind).find("id", id) !== undefined
  }

  #hasAdded(key: Key): boolean {
    return this.#added.has(`${key[0]}\0${key.at(-1)}`)
  }

  #note(kind: string, id: string): void {
    if (kind === "session" && !this.#isThere(kind, id)) this.#newSessions.add(id)
    this.#added.add(`${kind}\0${id}`)
  }

  #table(name: string | undefined): RowTable {
    return this.#tables.get(name ?? "") as RowTable
  }
}
