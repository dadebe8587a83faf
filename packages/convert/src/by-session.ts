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

/** Which sessions to read, and what with them. */
interface SessionsWanted extends Pick<TextScanOptions, "onForeign"> {
  readonly selection: SessionSelection | undefined
  /** What comes with sessions; all that belongs to them where that is not told. */
  readonly kinds?: readonly string[] | undefined
  readonly share: Share
}

/** Reads a share of the sessions that a selection takes, one by one; without one also everything else. */
export async function* bySession<Page>(
  access: TextAccess,
  { selection, kinds, share, onForeign }: SessionsWanted,
  reader: SessionReader<Page>,
): AsyncGenerator<Page, void, void> {
  // Later sessions come before earlier ones in key order, and databases append faster than they insert.
  const places = (await selectSessions(access, selection)).reverse()
  // Of what does not come with sessions that were selected nothing would come at all.
  const beside = sessionBelongings.filter((kind) => selection || (kinds?.includes(kind) ?? true))
  const belongings = await listBelongings(access, beside)
  const messages = new Set<string>()
  for (const place of places) {
    const { session } = place
    if (isInShare(share, encodeKey(["session", session]))) {
      yield* reader.read({ session, keys: keysBeside(place, beside, belongings) }, messages)
    } else if (selection === undefined) await noteMessages(access, place, messages)
  }
  if (selection !== undefined) return
  const sessions = new Set(places.map(({ session }) => session))
  yield* reader.readOthers(rest(access, share, { sessions, messages, beside }, onForeign))
}

/** The keys of all that sessions have beside messages. Most have nothing, and looking for each would take longer. */
async function listBelongings(access: TextAccess, kinds: readonly string[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  const prefixes = kinds.map((kind) => [kind])
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
function keysBeside(
  { project, session }: SessionPlace,
  kinds: readonly string[],
  belongings: ReadonlySet<string>,
): string[] {
  const beside = kinds.map((kind) => encodeKey([kind, session]))
  return [encodeKey(["session", project, session]), ...beside.filter((key) => belongings.has(key))]
}

/** What was read with sessions: their messages, with parts, and the kinds of records beside them. */
interface Covered {
  readonly sessions: ReadonlySet<string>
  readonly messages: ReadonlySet<string>
  readonly beside: readonly string[]
}

async function* rest(
  access: TextAccess,
  share: Share,
  { sessions, messages, beside }: Covered,
  onForeign: TextScanOptions["onForeign"],
): EntryPages {
  const isGoneThrough = (kind: string, owner: string) =>
    (kind === "message" && sessions.has(owner)) || (kind === "part" && messages.has(owner))
  const isCovered = (key: string) => {
    const [kind, owner, ...below] = key.split("\0") as [string, string?, ...string[]]
    if (owner === undefined) return false
    if (kind === "project" || isGoneThrough(kind, owner)) return true
    if (below.length !== (kind === "session" ? 1 : 0)) return false
    return kind === "session" || (beside.includes(kind) && sessions.has(owner))
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
