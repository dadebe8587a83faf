import {
  encodeKey,
  type ForeignFile,
  isInShare,
  type Share,
  sessionBelongings,
  type TextEntry,
  type TextScanOptions,
} from "@sessile/core/storage"
import type { ReadPage } from "./read-page.js"
import { readRecord, takeRecord } from "./read-record.js"
import { type SessionPlace, type SessionSelection, selectSessions } from "./session-selection.js"
import { SharedShelf } from "./shared-shelf.js"
import { packSession, unpackPage } from "./source-page.js"
import type { TextAccess } from "./text-access.js"

/**
 * What to read, and in which order:
 * - `all`: everything, in key order;
 * - `projects`: the projects, those of selected sessions only where there is a selection;
 * - `sessions`: session by session, each with all that belongs to it; with `whole`, in one page each, or in several of one
 *   session where it is very large. Without a selection, all else comes at the end, but for projects: other records, and
 *   those without owners; with `whole`, no page has records of several owners;
 * - `changed`: everything that was changed since a time.
 */
export type ReadingPlan =
  | { readonly take: "all" }
  | { readonly take: "projects"; readonly selection?: SessionSelection | undefined }
  | { readonly take: "sessions"; readonly selection?: SessionSelection | undefined; readonly whole: boolean }
  | { readonly take: "changed"; readonly since: number }

/** Told of what lies in a store without being a record, at least once each, where everything is read. */
export type OnForeign = (file: ForeignFile) => void

/** A page that grows beyond this is handed over even where whole sessions are wanted. */
const LARGEST_PAGE = 32 * 1024 * 1024

const EVERYTHING: Share = { index: 0, count: 1 }

/** Reads what a plan asks for, in pages. */
export async function* readPages(
  access: TextAccess,
  plan: ReadingPlan,
  onForeign?: OnForeign,
): AsyncGenerator<ReadPage, void, void> {
  const pages = entryPages(access, plan, EVERYTHING, { onForeign })
  if (!takesWhole(plan)) {
    for await (const page of pages) yield { records: page.map(readRecord) }
    return
  }
  const shelf = new SharedShelf()
  for await (const page of pages) {
    const packed = packSession(page.map(takeRecord), shelf)
    yield unpackPage(packed)
    shelf.giveBack(packed.pieces)
  }
}

/** Whether whole sessions are wanted. Those who want them take records apart, which lines make easier. */
export function takesWhole(plan: ReadingPlan): boolean {
  return "whole" in plan && plan.whole
}

/** One share of that, as the store gives it. */
export function entryPages(
  access: TextAccess,
  plan: ReadingPlan,
  share: Share,
  { onForeign, shelf }: Pick<TextScanOptions, "onForeign" | "shelf">,
): AsyncIterable<readonly TextEntry[]> {
  if (plan.take === "all") return access.scanTexts({ share, onForeign, shelf })
  if (plan.take === "changed") return access.scanTexts({ share, changedSince: plan.since })
  if (plan.take === "projects") return projects(access, plan.selection, share)
  return bySession(access, plan, share, { onForeign, shelf })
}

async function* projects(
  access: TextAccess,
  selection: SessionSelection | undefined,
  share: Share,
): AsyncGenerator<readonly TextEntry[], void, void> {
  if (selection === undefined) return yield* access.scanTexts({ prefixes: [["project"]], share })
  const owners = new Set((await selectSessions(access, selection)).map(({ project }) => project))
  const keys = [...owners].map((project) => encodeKey(["project", project]))
  yield await readPresent(
    access,
    keys.filter((key) => isInShare(share, key)),
  )
}

type Pages = AsyncGenerator<readonly TextEntry[], void, void>

type Wishes = Pick<TextScanOptions, "onForeign" | "shelf">

async function* bySession(
  access: TextAccess,
  { selection, whole }: Extract<ReadingPlan, { take: "sessions" }>,
  share: Share,
  wishes: Wishes,
): Pages {
  const places = await selectSessions(access, selection)
  const belongings = await listBelongings(access)
  const messages = new Set<string>()
  for (const place of places) {
    if (isInShare(share, encodeKey(["session", place.session]))) {
      const pages = sessionEntries(access, place, belongings, messages, wishes)
      yield* whole ? gathered(pages) : pages
    } else if (selection === undefined) await noteMessages(access, place, messages)
  }
  if (selection !== undefined) return
  const others = rest(access, share, new Set(places.map(({ session }) => session)), messages, wishes)
  yield* whole ? byOwner(others) : others
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

async function* sessionEntries(
  access: TextAccess,
  { project, session }: SessionPlace,
  belongings: ReadonlySet<string>,
  messages: Set<string>,
  wishes: Wishes,
): Pages {
  const own = encodeKey(["session", project, session])
  const beside = sessionBelongings.map((kind) => encodeKey([kind, session]))
  yield await readPresent(access, [own, ...beside.filter((key) => belongings.has(key))])
  const prefixes: string[][] = []
  for await (const page of access.scanTexts({ prefixes: [["message", session]], ...wishes })) {
    for (const { key } of page) {
      const message = lastSegment(key)
      messages.add(message)
      prefixes.push(["part", message])
    }
    yield page
  }
  if (prefixes.length > 0) yield* access.scanTexts({ prefixes, ...wishes })
}

function lastSegment(key: string): string {
  return key.slice(key.lastIndexOf("\0") + 1)
}

async function* gathered(pages: Pages): Pages {
  let records: TextEntry[] = []
  let length = 0
  for await (const page of pages) {
    records = records.concat(page)
    for (const entry of page) if (!("error" in entry)) length += (entry.utf8 ?? entry.text).length
    if (length < LARGEST_PAGE) continue
    yield records
    records = []
    length = 0
  }
  yield records
}

async function* rest(
  access: TextAccess,
  share: Share,
  sessions: ReadonlySet<string>,
  messages: ReadonlySet<string>,
  { onForeign }: Wishes,
): Pages {
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

async function* byOwner(pages: Pages): Pages {
  for await (const page of pages) {
    let start = 0
    for (let end = 1; end <= page.length; end++) {
      if (ownerOf(page[end]) === ownerOf(page[start])) continue
      yield page.slice(start, end)
      start = end
    }
  }
}

function ownerOf(entry: TextEntry | undefined): string | undefined {
  return entry?.key.split("\0", 2).join("\0")
}

// What went away since its key was listed is no longer part of the store.
async function readPresent(access: TextAccess, keys: readonly string[]): Promise<TextEntry[]> {
  const entries = await access.readTexts(keys)
  return entries.filter((entry) => entry !== undefined)
}
