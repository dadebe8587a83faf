import type { Session } from "../model/session.js"
import { comparablePath } from "../project/path.js"
import type { Term } from "../storage/index-definition.js"
import { compareUtf8 } from "../storage/key.js"
import { checkOptions } from "../storage/options.js"
import { orCorrupt, type ReadOptions } from "./read-messages.js"
import type { SessionContext } from "./session-context.js"
import { SessionError } from "./session-error.js"
import { asSession } from "./session-records.js"

/** Which sessions to list. */
export interface SessionListOptions extends ReadOptions {
  /** Another project than the one at hand. */
  readonly projectID?: string | undefined
  /** Only sessions that were held in exactly this folder. */
  readonly directory?: string | undefined
  /** Leave out sessions that have a parent. */
  readonly roots?: boolean | undefined
  /** Whether archived sessions come too, or nothing else; `"exclude"` by default. */
  readonly archived?: "exclude" | "include" | "only" | undefined
  /** Only sessions updated at this time or later. */
  readonly since?: number | undefined
  /** Only sessions updated at this time or earlier. */
  readonly until?: number | undefined
  /** Only sessions with this in their title; letter case does not count. */
  readonly search?: string | undefined
  /** At most this many of those that pass the filters. */
  readonly limit?: number | undefined
  /** Go on behind the page that gave this cursor. */
  readonly cursor?: string | undefined
}

/** Some sessions, and where the next ones begin; without a cursor there are none. */
export interface SessionPage {
  readonly sessions: readonly Session[]
  readonly cursor?: string
}

const optionShape = {
  projectID: "string?",
  directory: "string?",
  roots: "boolean?",
  archived: ["exclude", "include", "only"],
  since: "any?",
  until: "any?",
  search: "any?",
  limit: "count?",
  cursor: "string?",
  onCorrupt: "function?",
} as const

/** Sessions by the time of their last update, newest first. */
export async function* listSessions(
  context: SessionContext,
  options: SessionListOptions = {},
): AsyncGenerator<Session, void, void> {
  checkOptions("list", options, optionShape)
  const { limit = Number.POSITIVE_INFINITY, onCorrupt, since } = options
  const cursor = options.cursor === undefined ? undefined : readCursor(options.cursor)
  const bounds = [options.until, cursor?.updated].filter((bound) => bound !== undefined)
  const until = bounds.length === 0 ? undefined : Math.min(...bounds)
  const query = {
    equals: [options.projectID ?? context.projectID] as Term[],
    ...(since !== undefined && { gte: since }),
    ...(until !== undefined && { lte: until }),
    reverse: true,
    onCorrupt,
  }
  let count = 0
  if (limit === 0) return
  for await (const { key, value } of context.storage.find("sessions-by-project", query)) {
    const session = orCorrupt(options, () => asSession(key, value))
    if (session === undefined || (cursor !== undefined && !isBehind(cursor, session))) continue
    if (!passes(session, options)) continue
    yield session
    if (++count >= limit) return
  }
}

/** The sessions that come first, and where to go on. */
export async function pageOfSessions(
  context: SessionContext,
  options: SessionListOptions & { readonly limit: number },
): Promise<SessionPage> {
  const sessions: Session[] = []
  for await (const session of listSessions(context, { ...options, limit: options.limit + 1 })) {
    sessions.push(session)
  }
  if (sessions.length <= options.limit) return { sessions }
  const page = sessions.slice(0, options.limit)
  const last = page.at(-1)
  return last === undefined ? { sessions: page } : { sessions: page, cursor: writeCursor(last) }
}

function passes(session: Session, options: SessionListOptions): boolean {
  const { directory, roots, archived = "exclude", search } = options
  const isArchived = typeof session.time.archived === "number"
  if (archived !== "include" && isArchived !== (archived === "only")) return false
  if (roots && session.parentID !== undefined) return false
  if (directory !== undefined && comparablePath(session.directory ?? "") !== comparablePath(directory)) {
    return false
  }
  return search === undefined || spelling(session.title).includes(spelling(search))
}

function spelling(text: string): string {
  return text.normalize().toLowerCase()
}

interface Cursor {
  readonly updated: number
  readonly id: string
}

// Among sessions updated at the same time the index, read backwards, gives greater ids first.
function isBehind(cursor: Cursor, { id, time }: Session): boolean {
  return time.updated < cursor.updated || compareUtf8(id, cursor.id) < 0
}

function writeCursor({ id, time }: Session): string {
  return Buffer.from(JSON.stringify([time.updated, id])).toString("base64url")
}

function readCursor(text: string): Cursor {
  const [updated, id] = parseCursor(text)
  if (typeof updated === "number" && typeof id === "string") return { updated, id }
  throw new SessionError("INVALID_CURSOR", "The cursor was not made by a page of sessions")
}

function parseCursor(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(Buffer.from(text, "base64url").toString())
    return Array.isArray(value) ? value : []
  } catch (error) {
    if (error instanceof SyntaxError) return []
    throw error
  }
}
