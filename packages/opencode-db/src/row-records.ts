import { createHash } from "node:crypto"
import {
  decodeKey,
  encodeKey,
  type FittedRecord,
  type Key,
  type LinesDigest,
  parseText,
  type SessionLines,
  type SessionOutcome,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import { sqliteFault } from "@sessile/storage-sqlite/sqlite"
import type { Transaction } from "better-sqlite3"
import { isObject, without } from "./json-object.js"
import type { LineReceipt } from "./line-receipt.js"
import { lostFields } from "./lost-fields.js"
import { takenReason } from "./obstacles.js"
import type { OpenDatabase } from "./open-database.js"
import { kindName, type RecordKind, ROW_TIMES, recordKinds } from "./record-kind.js"
import type { RowRecord } from "./row-record.js"
import { RowRehearsal } from "./row-rehearsal.js"
import { RowTable } from "./row-table.js"
import { RowTimes } from "./row-times.js"
import { RowWriter } from "./row-writer.js"
import { isLineLacking, lackingFields } from "./wanted-fields.js"

/** How many records are remembered from one call to the next. */
const REMEMBERED = 10_000

type ParsedRecord = RowRecord | { readonly refused: string }

/** What gives the records of one kind. */
interface RecordReader {
  readonly kind: Pick<RecordKind, "name" | "keyColumns" | "refuse">
  /** Whether a key is one of this kind. */
  holds(key: Key): boolean
  readMany(keys: readonly Key[]): (TextEntry | undefined)[]
  keys(span: Span, reverse: boolean): Generator<string[], void, void>
}

/** The records that are in the database, as texts. Each change is one transaction. */
export class RowRecords {
  readonly #transaction: Transaction<(change: () => unknown) => unknown>
  readonly #path: string
  readonly #tables: ReadonlyMap<string, RowTable>
  readonly #readers: ReadonlyMap<string, RecordReader>
  readonly #writer: RowWriter
  readonly #rehearsal: RowRehearsal
  /**
   * What was taken apart already, as `fit` is followed by `add`. It is replaced, not cleared: the old memory of a map
   * holds on to young records.
   */
  #parsed = new Map<TextRecord, ParsedRecord>()
  /** The sessions of messages that were looked at, as these are followed by their parts. */
  #sessions = new Map<string, string>()

  constructor({ database, columns }: OpenDatabase, path: string) {
    this.#transaction = database.transaction((change: () => unknown) => change())
    this.#path = path
    this.#tables = new Map(
      recordKinds.map((kind) => [
        kind.name,
        new RowTable(database, kind, columns.get(kind.name) ?? new Set()),
      ]),
    )
    const times = new RowTimes(database, columns)
    this.#readers = new Map<string, RecordReader>([...this.#tables, [times.kind.name, times]])
    this.#writer = new RowWriter(database, this.#tables)
    this.#rehearsal = new RowRehearsal(this.#writer, this.#tables)
  }

  fit(record: TextRecord): FittedRecord {
    const parsed = this.#takeApart(record)
    if ("refused" in parsed) return parsed
    const [kind, session = "", id = ""] = parsed.key
    if (kind === "message") this.#noteMessage(id, session)
    return this.#alter(record, parsed)
  }

  /** The positions of lines of which something else will be read back. */
  fitLines(lines: SessionLines): ReadonlySet<number> {
    const unfit = new Set<number>()
    const { sessionID, messages, length } = lines
    for (let position = 0; position < messages; position++) {
      this.#noteMessage(lines.id(position), sessionID)
      const record = { key: ["message"], value: lines.value(position) }
      if (lackingFields(record).length > 0) unfit.add(position)
    }
    let owner: string | undefined
    let isOwned = false
    for (let position = messages; position < length; position++) {
      if (lines.owner(position) !== owner) {
        owner = lines.owner(position)
        isOwned = this.#sessions.get(owner) === sessionID
      }
      if (!isOwned || isLineLacking(lines, position)) unfit.add(position)
    }
    return unfit
  }

  read(key: string): TextEntry | undefined {
    return this.#guard("read the record", key, () => this.#read(key))
  }

  /** The records under some keys, read together where they are of one kind. */
  readMany(keys: readonly string[]): (TextEntry | undefined)[] {
    if (keys.length === 1) return keys.map((key) => this.read(key))
    return this.#guard("read the records", undefined, () => this.#readMany(keys))
  }

  digestLines(receipt: LineReceipt): LinesDigest {
    return this.#guard("read the records", undefined, () => this.#digestLines(receipt))
  }

  /** The keys of a span, which lies within one kind, page by page. */
  *keys(span: Span, reverse: boolean): Generator<string[], void, void> {
    const pages = this.#readerOf(span.gte).keys(span, reverse)
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

  /** The same together with lines. */
  addSession(
    records: readonly TextRecord[],
    lines: SessionLines,
    unfit: ReadonlySet<number>,
  ): SessionOutcome {
    let added: SessionOutcome | undefined
    const outcomes = this.#adding(records, (sound) => {
      added = this.#transact("add the records", () => this.#writer.addSession(sound, lines, unfit))
      return added.records
    })
    return { ...(added as SessionOutcome), records: outcomes }
  }

  /** What {@link add} would give, after all that was rehearsed before. Owners come before what they own. */
  rehearse(records: readonly TextRecord[]): (TextEntry | undefined)[] {
    return this.#adding(records, (sound) =>
      this.#guard("look for the records", undefined, () => this.#rehearsal.add(sound)),
    )
  }

  /** Writes and removes in order, all or nothing. */
  apply(operations: readonly TextOperation[]): void {
    this.#transact("change the records", () => {
      for (const operation of operations) {
        if (operation.type === "write") this.#replace(operation)
        else if (this.#readerOf(operation.key).holds(decodeKey(operation.key))) {
          this.#writer.remove(decodeKey(operation.key))
        }
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
    add: (sound: readonly RowRecord[]) => readonly (TextEntry | undefined)[],
  ): (TextEntry | undefined)[] {
    const parsed = records.map((record) => this.#takeApart(record))
    this.#parsed = new Map()
    const sound = parsed.filter((record): record is RowRecord => !("refused" in record))
    const added = add(sound).values()
    return parsed.map((record, index) => {
      if (!("refused" in record)) return added.next().value
      const { key } = records[index] as TextRecord
      return { key, error: refusal(key, record.refused) }
    })
  }

  #read(key: string): TextEntry | undefined {
    return this.#readMany([key])[0]
  }

  #readMany(keys: readonly string[]): (TextEntry | undefined)[] {
    const entries: (TextEntry | undefined)[] = Array(keys.length).fill(undefined)
    const byReader = new Map<RecordReader, { key: Key; position: number }[]>()
    for (const [position, encoded] of keys.entries()) {
      const reader = this.#readerOf(encoded)
      const key = decodeKey(encoded)
      if (!reader.holds(key)) continue
      const wanted = byReader.get(reader)
      if (wanted === undefined) byReader.set(reader, [{ key, position }])
      else wanted.push({ key, position })
    }
    for (const [reader, wanted] of byReader) {
      const found = reader.readMany(wanted.map(({ key }) => key))
      for (const [index, { key, position }] of wanted.entries()) {
        entries[position] = found[index] ?? this.#emptyList(key)
      }
    }
    return entries
  }

  #digestLines(receipt: LineReceipt): LinesDigest {
    const hash = createHash("sha256")
    let bytes = 0
    for (const kind of ["message", "part"] as const) {
      for (const run of receipt[kind]) {
        for (const lines of this.#tables.get(kind)?.lines(run) ?? []) {
          hash.update(lines)
          bytes += lines.length
        }
      }
    }
    return { sha256: hash.digest("hex"), bytes }
  }

  #emptyList(key: Key): TextEntry | undefined {
    return this.#writer.isEmptyList(key) ? { key: encodeKey(key), text: "[]" } : undefined
  }

  #replace(record: TextRecord): void {
    const parsed = this.#parse(record)
    if ("refused" in parsed) throw refusal(record.key, parsed.refused)
    this.#writer.replace(parsed)
  }

  #takeApart(record: TextRecord): ParsedRecord {
    const known = this.#parsed.get(record)
    if (known !== undefined) return known
    const parsed = this.#parse(record)
    if (this.#parsed.size >= REMEMBERED) this.#parsed = new Map()
    this.#parsed.set(record, parsed)
    return parsed
  }

  #parse(record: TextRecord): ParsedRecord {
    const reader = this.#readerOf(record.key)
    const { kind } = reader
    const key = decodeKey(record.key)
    if (!reader.holds(key)) {
      return { refused: `A key of kind ${kind.name} has ${kind.keyColumns.length + 1} segments` }
    }
    const parsed = parseText(record.text)
    if ("flaw" in parsed) return { refused: `The record is ${parsed.flaw}` }
    const refused = kind.refuse(parsed.value)
    return refused === undefined ? { key, value: parsed.value } : { refused }
  }

  #noteMessage(id: string, session: string): void {
    if (this.#sessions.size >= REMEMBERED) this.#sessions = new Map()
    this.#sessions.set(id, session)
  }

  /** What will be read back for a record. */
  #alter(record: TextRecord, parsed: RowRecord): FittedRecord {
    const { key } = parsed
    if (key[0] === ROW_TIMES) return { text: record.text, lost: [] }
    const table = this.#tables.get(key[0] as string) as RowTable
    // Of all records only sessions are given other owners, when opencode finds that a project is another one.
    if (
      table.kind.name === "session" &&
      this.#guard("look for the record", record.key, () => table.isElsewhere(key))
    ) {
      return { refused: takenReason(table.kind.name) }
    }
    const kept = table.kind.name === "project" ? this.read(record.key) : undefined
    // A project that is there is opencode's own, which notes in it when it was used last.
    if (kept !== undefined && "text" in kept) {
      return { text: kept.text, lost: differencesOfProjects(parsed, table, JSON.parse(kept.text)) }
    }
    const fitted = table.fit(parsed)
    const text = JSON.stringify(fitted, undefined, 2)
    const lacking = lackingFields(parsed)
    return {
      text,
      lost: text === record.text ? [] : lostFields(withoutIds(parsed, table.kind), fitted),
      ...(lacking.length > 0 ? { filled: lacking } : {}),
    }
  }

  #readerOf(key: string): RecordReader {
    return this.#readers.get(kindName(key)) as RecordReader
  }

  #transact<T>(action: string, change: () => T): T {
    return this.#guard(action, undefined, () => this.#transaction.immediate(change) as T)
  }

  #guard<T>(action: string, key: string | undefined, operation: () => T): T {
    try {
      return operation()
    } catch (error) {
      throw sqliteFault(action, error, this.#path, key === undefined ? undefined : decodeKey(key))
    }
  }
}

/** The fields in which a project that is kept is not as a record says, but for the time of its last use. */
function differencesOfProjects(record: RowRecord, table: RowTable, kept: unknown): string[] {
  const own = lostFields(withoutIds(record, table.kind), kept)
  const others = lostFields(kept, table.fit(record))
  return [...new Set([...own, ...others])].filter((path) => path !== "time.updated")
}

function withoutIds({ value }: RowRecord, { ids }: RecordKind): unknown {
  return isObject(value) ? without(value, ids) : value
}

function refusal(key: string, reason: string): StorageError {
  return new StorageError("INVALID_VALUE", `The database cannot hold the record: ${reason}`, {
    key: decodeKey(key),
  })
}
