import {
  encodeKey,
  type Key,
  type SessionLines,
  type SessionOutcome,
  StorageError,
  type TextEntry,
} from "@sessile/core/storage"
import type { Database } from "better-sqlite3"
import type { Row } from "./column.js"
import { FieldFiller, type Place } from "./field-filler.js"
import { GivenTimes } from "./given-times.js"
import { at, type JsonObject } from "./json-object.js"
import { KnownModels } from "./known-models.js"
import { type LineTarget, LineWriter } from "./line-writer.js"
import { homeless, inTheWay, refusalOf, taken, timesInTheWay } from "./obstacles.js"
import {
  placeholderParent,
  placeholderParentID,
  placeholderProject,
  placeholderSession,
} from "./placeholder.js"
import { RecordGroup } from "./record-group.js"
import { databaseKinds, ROW_TIMES } from "./record-kind.js"
import { messageCreated, messageUpdated, partCreated } from "./record-time.js"
import type { RowRecord } from "./row-record.js"
import type { RowTable } from "./row-table.js"
import type { ToldByRows } from "./row-times.js"
import { SessionTotals } from "./session-totals.js"

/** What is added together. */
interface Group {
  readonly records: RecordGroup
  /** The sessions that were not there before. */
  readonly newSessions: Set<string>
  /** What was already found out about sessions and messages, by id. */
  readonly sessions: Map<string, Row>
  readonly messages: Map<string, Row>
  readonly filler: FieldFiller
  readonly totals: SessionTotals
}

/**
 * Adds and changes rows, within a transaction that the caller has begun. Owners that are missing are made, times
 * that are missing are derived, as are fields without which opencode shows nothing, and sessions to which messages are
 * added get the totals of their messages.
 */
export class RowWriter {
  readonly #database: Database
  readonly #tables: ReadonlyMap<string, RowTable>
  readonly #givenTimes = new GivenTimes()
  readonly #models: KnownModels

  constructor(database: Database, tables: ReadonlyMap<string, RowTable>) {
    this.#database = database
    this.#tables = tables
    this.#models = new KnownModels(database)
  }

  /**
   * Adds the records whose keys are free, owners first; gives what was in the way of each of the others, or why it
   * has no place.
   */
  add(records: readonly RowRecord[]): readonly (TextEntry | undefined)[] {
    return this.#addGroup(this.#newGroup(new RecordGroup(records)))
  }

  /** The same, together with the messages and parts of a session that are lines. */
  addSession(records: readonly RowRecord[], lines: SessionLines, unfit: ReadonlySet<number>): SessionOutcome {
    const group = this.#newGroup(new RecordGroup(records, lines))
    const target: LineTarget = {
      totals: group.totals,
      add: (record) => this.#addOne(record, group),
      session: (id) => this.#findSession(id, group),
      needSession: (id) => this.#needSession(id, group),
      message: (id) => this.#findMessage(id, group),
      noteMessage: (id, message) => group.messages.set(id, message),
    }
    const writer = new LineWriter(lines, unfit, target, this.#givenTimes)
    // What has no line may belong to what has one.
    const outcomes = this.#addGroup(group, (kind) => {
      if (kind === "message") writer.addMessages(this.#table(kind))
      if (kind === "part") writer.addParts(this.#table(kind))
    })
    return { records: outcomes, lines: writer.present, receipt: JSON.stringify(writer.receipt) }
  }

  /** Adds the records of a group, kind by kind; `before` may add others first. */
  #addGroup(group: Group, before?: (kind: string) => void): (TextEntry | undefined)[] {
    const { records } = group.records
    const outcomes: (TextEntry | undefined)[] = records.map(() => undefined)
    for (const record of records) {
      const [kind, session = ""] = record.key
      if (kind === ROW_TIMES) this.#givenTimes.note(session, record.value as ToldByRows)
    }
    for (const name of databaseKinds) {
      before?.(name)
      for (let index = 0; index < records.length; index++) {
        const record = records[index] as RowRecord
        if (record.key[0] === name) outcomes[index] = this.#addOne(record, group)
      }
    }
    group.totals.write()
    this.#models.complete(group.sessions.keys())
    return outcomes
  }

  /**
   * Puts a record in the place of what is under its key.
   *
   * @throws StorageError `UNSUPPORTED` for the times of rows, which come with the rows
   */
  replace(record: RowRecord): void {
    if (record.key[0] === ROW_TIMES) throw fixedTimes(record.key)
    const table = this.#table(record.key[0])
    const group = this.#newGroup(new RecordGroup([record]))
    if (!table.has(record.key)) {
      if (this.isTaken(record.key)) throw taken(table, record.key)
      this.#insert(record, group)
      group.totals.write()
      return
    }
    const rows = this.#encode({ key: record.key, value: record.value }, group)
    if (table.kind.isList) {
      table.remove(record.key)
      for (const row of rows) table.insert(row)
    } else for (const row of rows) table.update(row)
  }

  /**
   * Removes a record that owns no others. The times of rows go with the rows.
   *
   * @throws StorageError `UNSUPPORTED` for one that does: the database would remove them too
   */
  remove(key: Key): void {
    if (key[0] === ROW_TIMES) return
    const table = this.#table(key[0])
    const id = key.at(-1) as string
    const owned = ownership[table.kind.name]?.find(
      ([owned, column]) => this.#table(owned).find(column, id) !== undefined,
    )
    if (owned !== undefined && table.has(key)) {
      const message = `The ${table.kind.name} cannot be removed while there are records of kind ${owned[0]} in it`
      throw new StorageError("UNSUPPORTED", `${message}; remove them first`, { key })
    }
    table.remove(key)
  }

  /**
   * Whether a key names the list of a session that has no items. Such a list has no rows, and so is not listed,
   * but it is what the session has.
   */
  isEmptyList([name, id = ""]: Key): boolean {
    const table = this.#tables.get(name as string)
    if (!table?.kind.isList || table.find("session_id", id) !== undefined) return false
    return this.#table("session").find("id", id) !== undefined
  }

  /** Whether there is a row with the id of a key. An id is unique in its table, whoever the owner. */
  isTaken(key: Key): boolean {
    const table = this.#table(key[0])
    return table.find(table.kind.keyColumns.at(-1) as string, key.at(-1) as string) !== undefined
  }

  #addOne(record: RowRecord, group: Group): TextEntry | undefined {
    const { key } = record
    if (key[0] === ROW_TIMES) {
      if (group.newSessions.has(key[1] as string)) return undefined
      return timesInTheWay(key, this.#table("session").find("id", key[1] as string) !== undefined)
    }
    const table = this.#table(key[0])
    // Where the owner is known to be there, adding shows it; otherwise one might be made for nothing.
    if (!this.#isOwned(key, group) && this.isTaken(key)) return inTheWay(table, key)
    if (table.kind.isList && isEmpty(record.value) && this.isEmptyList(key)) {
      return { key: encodeKey(key), text: "[]" }
    }
    try {
      return this.#insert(record, group) ? undefined : inTheWay(table, key)
    } catch (error) {
      return refusalOf(error, key)
    }
  }

  /** Adds a record; `false` when its id is taken. */
  #insert(record: RowRecord, group: Group): boolean {
    const table = this.#table(record.key[0])
    for (const row of this.#encode(record, group)) {
      if (!table.insert(row)) return false
      this.#note(record, row, group)
    }
    return true
  }

  /** Remembers what others of the group will want to know of a record. */
  #note(record: RowRecord, row: Row, group: Group): void {
    const [kind, owner = "", id = ""] = record.key
    if (kind === "session") {
      group.sessions.set(id, row)
      group.newSessions.add(id)
      group.totals.addSession(row, this.#givenTimes.totalsOf(id))
    } else if (kind === "message") {
      group.messages.set(id, row)
      group.totals.addMessage(group.sessions.get(owner) as Row, id, record.value)
    }
  }

  #isOwned([kind, owner = ""]: Key, { sessions, messages }: Group): boolean {
    return (kind === "message" && sessions.has(owner)) || (kind === "part" && messages.has(owner))
  }

  /** The rows of a record, complete, once its owners are there. */
  #encode(record: RowRecord, group: Group): readonly Row[] {
    const { key } = record
    const { kind } = this.#table(key[0])
    if (kind.name === "project") return kind.encode(record)
    if (kind.name === "session") {
      this.#needProject(record, group)
      return kind.encode(record)
    }
    if (kind.name === "part") {
      const message = this.#needMessage(record, group)
      const time = partCreated(key[2] as string, Number(message.time_created))
      const sessionID = String(message.session_id)
      const rows = kind.encode(record, { sessionID, filled: group.filler.part(record, time) })
      return this.#givenTimes.apply(kind.name, sessionID, rows, [time, time])
    }
    const sessionID = key[1] as string
    const session = this.#needSession(sessionID, group)
    if (kind.name !== "message") {
      const time = Number(session.time_updated)
      return this.#givenTimes.apply(kind.name, sessionID, kind.encode(record), [time, time])
    }
    const created = messageCreated(record.value, key[2] as string, Number(session.time_created))
    const needParent = (place: Place) => this.#addParent(place, session, group)
    const filled = group.filler.message(record, created, session, needParent)
    const rows = kind.encode(record, { filled })
    return this.#givenTimes.apply(kind.name, sessionID, rows, [
      created,
      messageUpdated(record.value, created),
    ])
  }

  #needProject(session: RowRecord, group: Group): void {
    const [, id = "", sessionID = ""] = session.key
    if (this.#table("project").find("id", id) !== undefined) return
    const value = placeholderProject(id, session.value as JsonObject, sessionID)
    this.#insert({ key: ["project", id], value }, group)
  }

  #needSession(id: string, group: Group): Row {
    const known = this.#findSession(id, group)
    if (known !== undefined) return known
    const messages = group.records.ownedBy(id, "message")
    const worktree = messages
      .map(({ value }) => at(value, ["path", "root"]))
      .find((root) => typeof root === "string")
    const project = this.#table("project").find("worktree", worktree ?? "", "id")?.id ?? "global"
    const value = placeholderSession(messages.map((message) => message.value))
    this.#insert({ key: ["session", String(project), id], value }, group)
    return this.#needSession(id, group)
  }

  #findSession(id: string, { sessions }: Group): Row | undefined {
    const known = sessions.get(id) ?? this.#table("session").find("id", id, ...sessionColumns)
    if (known !== undefined) sessions.set(id, known)
    return known
  }

  #needMessage(part: RowRecord, group: Group): Row {
    const id = part.key[1] as string
    const known = this.#findMessage(id, group)
    if (known !== undefined) return known
    const sessionID = at(part.value, ["sessionID"])
    if (typeof sessionID !== "string" || sessionID === "") throw homeless(part.key)
    const session = this.#needSession(sessionID, group)
    const created = messageCreated(undefined, id, Number(session.time_created))
    const needParent = (place: Place) => this.#addParent(place, session, group)
    const value = group.filler.placeholder({ id, time: { created } }, session, needParent)
    this.#insert({ key: ["message", sessionID, id], value }, group)
    group.filler.forget(session)
    return this.#needMessage(part, group)
  }

  /** Adds a user message to a session without any, as the parent of an assistant message. */
  #addParent(place: Place, session: Row, group: Group): string {
    const time = place.time.created - 1
    const id = placeholderParentID(String(session.id), time)
    const model = group.filler.model({ id, time: { created: time } }, session)
    const value = placeholderParent({ time, model })
    this.#insert({ key: ["message", String(session.id), id], value }, group)
    group.filler.forget(session)
    return id
  }

  #findMessage(id: string, { messages }: Group): Row | undefined {
    const known = messages.get(id)
    if (known !== undefined) return known
    const found = this.#table("message").find("id", id, "session_id", "time_created")
    if (found !== undefined) messages.set(id, found)
    return found
  }

  #newGroup(records: RecordGroup): Group {
    return {
      records,
      newSessions: new Set(),
      sessions: new Map(),
      messages: new Map(),
      filler: new FieldFiller(this.#database, records, this.#models),
      totals: new SessionTotals(this.#database, this.#table("session")),
    }
  }

  #table(name: string | undefined): RowTable {
    const table = this.#tables.get(name ?? "")
    if (table === undefined) throw new TypeError(`There is no table for ${name}`)
    return table
  }
}

/** What is to be known of a session that is there. */
const sessionColumns = ["id", "project_id", "directory", "time_created", "time_updated"]

/** What the database removes with a record: tables, and the columns that name the owner. */
const ownership: Readonly<Record<string, readonly (readonly [table: string, column: string])[]>> = {
  project: [["session", "project_id"]],
  session: [
    ["message", "session_id"],
    ["todo", "session_id"],
    ["session_share", "session_id"],
  ],
  message: [["part", "message_id"]],
}

function fixedTimes(key: Key): StorageError {
  const message = "The times of rows are added together with the rows; they cannot be changed"
  return new StorageError("UNSUPPORTED", message, { key })
}

function isEmpty(list: unknown): boolean {
  return Array.isArray(list) && list.length === 0
}
