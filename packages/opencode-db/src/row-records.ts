import {
  decodeKey,
  type FittedRecord,
  parseText,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import { sqliteFault } from "@sessile/storage-sqlite/sqlite"
import type { Database } from "better-sqlite3"
import { isObject, type JsonObject, without } from "./json-object.js"
import { lostFields } from "./lost-fields.js"
import type { OpenDatabase } from "./open-database.js"
import { kindName, recordKinds } from "./record-kind.js"
import { RowRehearsal } from "./row-rehearsal.js"
import { RowTable } from "./row-table.js"
import { type RowRecord, RowWriter, takenReason } from "./row-writer.js"
import { lackingFields } from "./wanted-fields.js"

/** The records that have a table, as texts. Each change is one transaction. */
export class RowRecords {
  readonly #database: Database
  readonly #path: string
  readonly #tables: ReadonlyMap<string, RowTable>
  readonly #writer: RowWriter
  readonly #rehearsal: RowRehearsal

  constructor({ database, columns }: OpenDatabase, path: string) {
    this.#database = database
    this.#path = path
    this.#tables = new Map(
      recordKinds.map((kind) => [
        kind.name,
        new RowTable(database, kind, columns.get(kind.name) ?? new Set()),
      ]),
    )
    this.#writer = new RowWriter(database, this.#tables)
    this.#rehearsal = new RowRehearsal(this.#writer, this.#tables)
  }

  fit(record: TextRecord): FittedRecord {
    const parsed = this.#parse(record)
    if ("refused" in parsed) return parsed
    const { key, value } = parsed
    const table = this.#tableOf(record.key)
    if (this.#guard("look for the record", record.key, () => table.isElsewhere(key))) {
      return { refused: takenReason(table.kind.name) }
    }
    const said = isObject(value) ? without(value, table.kind.ids) : value
    const kept = table.kind.name === "project" ? this.read(record.key) : undefined
    // A project that is there is opencode's own, which notes in it when it was used last.
    if (kept !== undefined && "text" in kept) {
      return {
        text: kept.text,
        lost: lostFields(without(said as JsonObject, ["time"]), JSON.parse(kept.text)),
      }
    }
    const fitted = table.fit(key, value)
    const filled = lackingFields(table.kind.name, value)
    return {
      text: JSON.stringify(fitted, undefined, 2),
      lost: lostFields(said, fitted),
      ...(filled.length > 0 ? { filled } : {}),
    }
  }

  read(key: string): TextEntry | undefined {
    return this.#guard("read the record", key, () => this.#read(key))
  }

  /** The keys of a span, which lies within one table, page by page. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    const pages = this.#tableOf(span.gte).keys(span, reverse)
    for (;;) {
      const page = this.#guard("list the records", undefined, () => pages.next())
      if (page.done) return
      yield page.value
    }
  }

  /** Adds the records whose keys are free; gives what was in the way of the others, or why they have no place. */
  add(records: readonly TextRecord[]): (TextEntry | undefined)[] {
    return this.#adding(records, (sound) => this.#transact("add the records", () => this.#writer.add(sound)))
  }

  /** What {@link add} would give, after all that was rehearsed before. Owners come before what they own. */
  rehearse(records: readonly TextRecord[]): (TextEntry | undefined)[] {
    return this.#adding(records, (sound) =>
      this.#guard("look for the records", undefined, () =>
        sound.map((record) => this.#rehearsal.add(record)),
      ),
    )
  }

  /** Writes and removes in order, all or nothing. */
  apply(operations: readonly TextOperation[]): void {
    this.#transact("change the records", () => {
      for (const operation of operations) {
        if (operation.type === "write") this.#replace(operation)
        else if (this.#holds(operation.key)) this.#writer.remove(decodeKey(operation.key))
      }
    })
  }

  update(key: string, change: (text: string | undefined) => string): void {
    this.#transact("update the record", () => {
      const entry = this.#read(key)
      if (entry !== undefined && "error" in entry) throw entry.error
      this.#replace({ key, text: change(entry?.text) })
    })
  }

  #adding(
    records: readonly TextRecord[],
    add: (sound: readonly RowRecord[]) => (TextEntry | undefined)[],
  ): (TextEntry | undefined)[] {
    const parsed = records.map((record) => this.#parse(record))
    const sound = parsed.filter((record): record is RowRecord => !("refused" in record))
    const added = add(sound).values()
    return parsed.map((record, index) => {
      if (!("refused" in record)) return added.next().value
      const { key } = records[index] as TextRecord
      return { key, error: refusal(key, record.refused) }
    })
  }

  #read(key: string): TextEntry | undefined {
    if (!this.#holds(key)) return undefined
    const table = this.#tableOf(key)
    const decoded = decodeKey(key)
    return table.read(decoded) ?? (this.#writer.isEmptyList(decoded) ? { key, text: "[]" } : undefined)
  }

  #replace(record: TextRecord): void {
    const parsed = this.#parse(record)
    if ("refused" in parsed) throw refusal(record.key, parsed.refused)
    this.#writer.replace(parsed)
  }

  #parse({ key, text }: TextRecord): RowRecord | { readonly refused: string } {
    const { kind } = this.#tableOf(key)
    if (!this.#holds(key)) {
      return { refused: `A key of kind ${kind.name} has ${kind.keyColumns.length + 1} segments` }
    }
    const parsed = parseText(text)
    if ("flaw" in parsed) return { refused: `The record is ${parsed.flaw}` }
    const refused = kind.refuse(parsed.value)
    return refused === undefined ? { key: decodeKey(key), value: parsed.value } : { refused }
  }

  #holds(key: string): boolean {
    return decodeKey(key).length === this.#tableOf(key).kind.keyColumns.length + 1
  }

  #tableOf(key: string): RowTable {
    return this.#tables.get(kindName(key)) as RowTable
  }

  #transact<T>(action: string, change: () => T): T {
    return this.#guard(action, undefined, () => this.#database.transaction(change).immediate())
  }

  #guard<T>(action: string, key: string | undefined, operation: () => T): T {
    try {
      return operation()
    } catch (error) {
      throw sqliteFault(action, error, this.#path, key === undefined ? undefined : decodeKey(key))
    }
  }
}

function refusal(key: string, reason: string): StorageError {
  return new StorageError("INVALID_VALUE", `The database cannot hold the record: ${reason}`, {
    key: decodeKey(key),
  })
}
