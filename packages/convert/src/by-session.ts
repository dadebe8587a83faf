import {
  encodeKey,
  isInShare,
  type Share,
  sessionBelongings,
  type TextEntry,
  type TextScanOptions,
} from "@sessile/core/storage"
import { type SessionPlace, type SessionSelection, selectSessions } from "./session-selection.js"
import { readPresent, type TextAccess } from "./text-access.js"

/** A session, and the keys of what it has that is no message. */
export interface SessionKeys {
  readonly session: string
  readonly keys: readonly string[]
}

export type EntryPages = AsyncGenerator<readonly TextEntry[], void, void>

/** What makes pages of records. */
export interface SessionReader<Page> {
  /** All of a session; notes its messages. */
  read(session: SessionKeys, messages: Set<string>): AsyncGenerator<Page, void, void>
  /** Records that no session has. */
  readOthers(pages: EntryPages): AsyncGenerator<Page, void, void>
}

/** Reads a share of the sessions that a selection takes, one by one; without one also all that no session has. */
export async function* bySession<Page>(
  access: TextAccess,
  selection: SessionSelection | undefined,
  share: Share,
  reader: SessionReader<Page>,
  onForeign: TextScanOptions["onForeign"],
): AsyncGenerator<Page, void, void> {
  // Later sessions come before earlier ones in key order, and databases append faster than they insert.
  const places = (await selectSessions(access, selection)).reverse()
  const belongings = await listBelongings(access)
  const messages = new Set<string>()
  for (const place of places) {
    const { session } = place
    if (isInShare(share, encodeKey(["session", session]))) {
      yield* reader.read({ session, keys: keysBeside(place, belongings) }, messages)
    } else if (selection === undefined) await noteMessages(access, place, messages)
  }
  if (selection !== undefined) return
  const sessions = new Set(places.map(({ session }) => session))
  yield* reader.readOthers(rest(access, share, sessions, messages, onForeign))
}

/** The keys of all that sessions have beside messages. Most have nothing, and looking for each would take longer. */
async function listBelongings(access: TextAccess): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const prefixes = sessionBelongings.map((kind) => [kind])
  for await (const keys of access.scanKeys({ prefixes })) for (const key of keys) found.add(key)
  return found
}

/** Notes the messages of a session that belongs to another share: their parts may not. */
async function noteMessages(access: TextAccess, place: SessionPlace, messages: Set<string>): Promise<void> {
  for await (const keys of access.scanKeys({ prefixes: [["message", place.session]] })) {
    for (const key of keys) messages.add(lastSegment(key))
  }
}

/** The keys of what a session has that is no message. */
function keysBeside({ project, session }: SessionPlace, belongings: ReadonlySet<string>): string[] {
  const beside = sessionBelongings.map((kind) => encodeKey([kind, session]))
  return [encodeKey(["session", project, session]), ...beside.filter((key) => belongings.has(key))]
}

async function* rest(
  access: TextAccess,
  share: Share,
  sessions: ReadonlySet<string>,
  messages: ReadonlySet<string>,
  onForeign: TextScanOptions["onForeign"],
): EntryPages {
  const isGoneThrough = (kind: string, owner: string) =>
    (kind === "message" && sessions.has(owner)) || (kind === "part" && messages.has(owner))
  const isCovered = (key: string) => {
    const [kind, owner, ...below] = key.split("\0") as [string, string?, ...string[]]
    if (owner === undefined) return false
    if (kind === "project" || isGoneThrough(kind, owner)) return true
    if (below.length !== (kind === "session" ? 1 : 0)) return false
    return kind === "session" || (sessionBelongings.includes(kind) && sessions.has(owner))
  }
  const skips = (prefix: string) => {
    const [kind, owner, ...below] = prefix.split("\0") as [string, string?, ...string[]]
    return owner !== undefined && below.length === 0 && isGoneThrough(kind, owner)
  }
  for await (const keys of access.scanKeys({ skips, onForeign })) {
    yield await readPresent(
      access,
      keys.filter((key) => !isCovered(key) && isInShare(share, key)),
    )
  }
}

export function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf("\0") + 1)
}
