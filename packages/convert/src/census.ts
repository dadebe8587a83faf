import { decodeKey, type Key } from "@sessile/core/storage"
import type { RecordFacts } from "./examine.js"
import type { ReadPage } from "./read-page.js"
import { isSound, type SoundRecord } from "./read-record.js"

/** How much there is of one kind of record. */
export interface KindCount {
  readonly records: number
  readonly bytes: number
}

/** Records whose owner is not there: they are kept like all others. */
export interface Orphans {
  /** Keys of sessions whose project is missing. */
  readonly sessions: readonly Key[]
  /** Prefixes of messages whose session is missing. */
  readonly messages: readonly Key[]
  /** Prefixes of parts whose message is missing. */
  readonly parts: readonly Key[]
}

/** What a store holds. */
export interface CensusResult {
  readonly records: number
  readonly bytes: number
  /** By the first segment of the key, sorted. */
  readonly kinds: Readonly<Record<string, KindCount>>
  /** The earliest and the latest time of a session or message, in milliseconds. */
  readonly oldest?: number | undefined
  readonly newest?: number | undefined
  /** How many sessions each project has. */
  readonly projects: Readonly<Record<string, number>>
  readonly orphans: Orphans
  /** Sessions whose messages have ids from both sides of a wrap, so that they must not be ordered by id alone. */
  readonly sessionsAcrossWrap: readonly string[]
  /** How many sessions have their earliest message in which window: the time between two wraps, by its number. */
  readonly sessionsByWindow: Readonly<Record<number, number>>
  /** Whether the store as a whole has ids from both sides of a wrap. */
  readonly straddlesWrap: boolean
}

interface Count {
  records: number
  bytes: number
}

/** Ids repeat their time part after this many milliseconds. */
const WRAP = 2 ** 36

/** Counts records as they pass by. */
export class Census {
  readonly #kinds = new Map<string, Count>()
  readonly #projects = new Set<string>()
  readonly #sessionsByProject = new Map<string, string[]>()
  readonly #sessions = new Set<string>()
  readonly #messages = new Set<string>()
  readonly #ownersOfMessages = new Set<string>()
  readonly #ownersOfParts = new Set<string>()
  readonly #windows = new Set<number>()
  readonly #windowBySession = new Map<string, number>()
  readonly #acrossWrap = new Set<string>()
  #lastKind = ""
  #lastCount: Count = { records: 0, bytes: 0 }
  #lastOwner = ""
  #lastSession: string | undefined
  #oldest: number | undefined
  #newest: number | undefined

  addPage({ records, lines }: ReadPage): void {
    for (const record of records) if (isSound(record)) this.add(record)
    if (lines === undefined) return
    const { messages, length, sessionID } = lines
    this.#count("message", lines.messageBytes, messages)
    this.#count("part", lines.partBytes, length - messages)
    for (let position = 0; position < messages; position++) {
      this.#noteMessage(sessionID, lines.id(position), lines.facts(position))
    }
    for (const owner of lines.owners) this.#notePart(owner)
  }

  add({ key, bytes, facts }: SoundRecord): void {
    const [kind = "", owner, id] = decodeKey(key)
    this.#count(kind, bytes)
    if (owner === undefined) return
    if (kind === "project") this.#projects.add(owner)
    if (kind === "part") this.#notePart(owner)
    if (id === undefined) return
    if (kind === "session") this.#noteSession(owner, id, facts)
    if (kind === "message") this.#noteMessage(owner, id, facts)
  }

  result(): CensusResult {
    const kinds = [...this.#kinds].sort(([a], [b]) => (a < b ? -1 : 1))
    const sum = (count: (kind: KindCount) => number) =>
      kinds.reduce((total, [, kind]) => total + count(kind), 0)
    return {
      records: sum((kind) => kind.records),
      bytes: sum((kind) => kind.bytes),
      kinds: Object.fromEntries(kinds),
      oldest: this.#oldest,
      newest: this.#newest,
      projects: Object.fromEntries(this.#projectSizes()),
      orphans: this.#orphans(),
      sessionsAcrossWrap: [...this.#acrossWrap].sort(),
      sessionsByWindow: this.#sessionsByWindow(),
      straddlesWrap: this.#windows.size > 1,
    }
  }

  #projectSizes(): [string, number][] {
    const ids = new Set([...this.#projects, ...this.#sessionsByProject.keys()])
    return [...ids].sort().map((id) => [id, this.#sessionsByProject.get(id)?.length ?? 0])
  }

  #orphans(): Orphans {
    const missing = (owners: Iterable<string>, present: ReadonlySet<string>) =>
      [...owners].filter((owner) => !present.has(owner)).sort()
    const projects = missing(this.#sessionsByProject.keys(), this.#projects)
    return {
      sessions: projects.flatMap((project) =>
        (this.#sessionsByProject.get(project) ?? []).map((session) => ["session", project, session]),
      ),
      messages: missing(this.#ownersOfMessages, this.#sessions).map((session) => ["message", session]),
      parts: missing(this.#ownersOfParts, this.#messages).map((message) => ["part", message]),
    }
  }

  #count(kind: string, bytes: number, records = 1): void {
    if (records === 0) return
    const count = this.#countOf(kind)
    count.records += records
    count.bytes += bytes
  }

  /** Records come kind by kind, and looking for the kind of each would take longer than counting it. */
  #countOf(kind: string): Count {
    if (kind === this.#lastKind) return this.#lastCount
    const count = this.#kinds.get(kind) ?? { records: 0, bytes: 0 }
    this.#kinds.set(kind, count)
    this.#lastKind = kind
    this.#lastCount = count
    return count
  }

  #noteSession(project: string, id: string, { created, updated }: RecordFacts = {}): void {
    this.#sessions.add(id)
    const siblings = this.#sessionsByProject.get(project)
    if (siblings === undefined) this.#sessionsByProject.set(project, [id])
    else siblings.push(id)
    this.#noteTime(created)
    this.#noteTime(updated)
  }

  #noteMessage(session: string, id: string, { created }: RecordFacts = {}): void {
    this.#messages.add(id)
    if (session !== this.#lastSession) this.#ownersOfMessages.add(session)
    this.#lastSession = session
    this.#noteTime(created)
    if (created !== undefined) this.#noteWindow(session, Math.floor(created / WRAP))
  }

  /** Most parts follow others of their message, and all come after the messages, so that hardly an owner is kept. */
  #notePart(message: string): void {
    if (message === this.#lastOwner) return
    this.#lastOwner = message
    if (!this.#messages.has(message)) this.#ownersOfParts.add(message)
  }

  #noteTime(time: number | undefined): void {
    if (time === undefined) return
    this.#oldest = Math.min(time, this.#oldest ?? time)
    this.#newest = Math.max(time, this.#newest ?? time)
  }

  #noteWindow(session: string, window: number): void {
    this.#windows.add(window)
    const known = this.#windowBySession.get(session)
    if (known === undefined || window < known) this.#windowBySession.set(session, window)
    if (known !== undefined && known !== window) this.#acrossWrap.add(session)
  }

  #sessionsByWindow(): Record<number, number> {
    const counts: Record<number, number> = {}
    for (const window of this.#windowBySession.values()) counts[window] = (counts[window] ?? 0) + 1
    return counts
  }
}
