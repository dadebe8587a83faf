import type { SampleRecord, SampleSession } from "../sample-records.js"

/** One way of keeping records, doing the work of every row as its user would write it. */
export interface Store {
  /** Writes the records one by one. */
  write(records: readonly SampleRecord[]): Promise<void>
  /** Reads and parses the records one by one. */
  read(keys: readonly (readonly string[])[]): Promise<void>
  /** Writes the records at once, as far as the store can. */
  batch(records: readonly SampleRecord[]): Promise<void>
  /** Reads and parses all messages, and counts them. */
  scanMessages(): Promise<number>
  /** Reads and parses the messages of a session and all of their parts, and counts them. */
  loadSession(sessionID: string): Promise<number>
  /** The same with `list` and `read` alone, where that differs. */
  listAndReadSession?(sessionID: string): Promise<number>
  /** Adds sessions so that they can be asked for with `newest` and `children`. */
  addSessions(sessions: readonly SessionRecord[]): Promise<void>
  /** The sessions that were updated last. */
  newest(count: number): Promise<SampleSession[]>
  /** The sessions with this parent, oldest first. */
  children(parentID: string): Promise<SampleSession[]>
  close(): Promise<void>
}

/** A session under its key. */
export interface SessionRecord {
  readonly key: readonly string[]
  readonly value: SampleSession
}

/** A column of the table. */
export interface StoreKind {
  readonly name: string
  /** Among how many sessions at most it is asked for some. */
  readonly mostSessions: number
  /** Opens a store in a folder of its own. */
  open(folder: string): Promise<Store>
}

/** What the user of a store without indexes does once all sessions are read. */
export function newestOf(sessions: readonly SampleSession[], count: number): SampleSession[] {
  return sessions.toSorted((a, b) => b.time.updated - a.time.updated).slice(0, count)
}

/** What the user of a store without indexes does once all sessions are read. */
export function childrenOf(sessions: readonly SampleSession[], parentID: string): SampleSession[] {
  return sessions
    .filter((session) => session.parentID === parentID)
    .sort((a, b) => a.time.created - b.time.created)
}
