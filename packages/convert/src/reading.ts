import {
  encodeKey,
  type ForeignFile,
  isInShare,
  type Share,
  type Shelf,
  sessionBelongings,
  type TextEntry,
  type TextScanOptions,
} from "@sessile/core/storage"
import { type ReadRecord, readRecord } from "./read-record.js"
import { type SessionPlace, type SessionSelection, selectSessions } from "./session-selection.js"
import type { TextAccess } from "./text-access.js"

/**
 * What to read, and in which order:
 * - `all`: everything, in key order;
 * - `projects`: the projects, those of selected sessions only where there is a selection;
 * - `sessions`: session by session, each with all that belongs to it; with `whole`, in one page each, or in several of one
 *   session where it is very large;
 * - `rest`: what neither of the two above gives: other records, and those without owners; with `whole`, no page has records
 *   of several owners.
 * - `changed`: everything that was changed since a time.
 */
export type ReadingPlan =
  | { readonly take: "all" }
  | { readonly take: "projects"; readonly selection?: SessionSelection | undefined }
  | { readonly take: "sessions"; readonly selection?: SessionSelection | undefined; readonly whole: boolean }
  | { readonly take: "rest"; readonly whole: boolean }
  | { readonly take: "changed"; readonly since: number }

/** Told of what lies in a store without being a record, at least once each, where everything is read. */
export type OnForeign = (file: ForeignFile) => void

/** A page that grows beyond this is handed over even where whole sessions are wanted. */
const LARGEST_PAGE = 32 * 1024 * 1024

const EVERYTHING: Share = { index: 0, count: 1 }

/** Reads one share of what a plan asks for, in pages. */
export async function* readPages(
  access: TextAccess,
  plan: ReadingPlan,
  share: Share = EVERYTHING,
  onForeign?: OnForeign,
): AsyncGenerator<ReadRecord[], void, void> {
  for await (const page of entryPages(access, plan, share, { onForeign })) {
    yield page.map((entry) => readRecord(entry, wantsLayout(plan)))
  }
}

/** Whether it matters how records are laid out: those who take whole sessions take their records apart. */
export function wantsLayout(plan: ReadingPlan): boolean {
  return "whole" in plan && plan.whole
}

/** The same, not looked into yet. */
export function entryPages(
  access: TextAccess,
  plan: ReadingPlan,
  share: Share,
  { onForeign, shelf }: Pick<TextScanOptions, "onForeign" | "shelf">,
): AsyncIterable<readonly TextEntry[]> {
  if (plan.take === "all") return access.scanTexts({ share, onForeign, shelf })
  if (plan.take === "changed") return access.scanTexts({ share, changedSince: plan.since })
  if (plan.take === "projects") return projects(access, plan.selection, share)
  if (plan.take === "rest") {
    const pages = rest(access, share, onForeign)
    return plan.whole ? byOwner(pages) : pages
  }
  const sessions = sessionPages(access, plan.selection, share, shelf)
  return plan.whole ? whole(sessions) : flat(sessions)
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

async function* sessionPages(
  access: TextAccess,
  selection: SessionSelection | undefined,
  share: Share,
  shelf: Shelf | undefined,
): AsyncGenerator<Pages, void, void> {
  for (const place of await selectSessions(access, selection)) {
    if (isInShare(share, encodeKey(["session", place.session]))) yield sessionEntries(access, place, shelf)
  }
}

async function* sessionEntries(
  access: TextAccess,
  { project, session }: SessionPlace,
  shelf: Shelf | undefined,
): Pages {
  const own = ["session", project, session]
  yield await readPresent(access, [own, ...sessionBelongings.map((kind) => [kind, session])].map(encodeKey))
  const messages: string[] = []
  for await (const page of access.scanTexts({ prefixes: [["message", session]], shelf })) {
    for (const { key } of page) messages.push(key.slice(key.lastIndexOf("\0") + 1))
    yield page
  }
  if (messages.length === 0) return
  yield* access.scanTexts({ prefixes: messages.map((message) => ["part", message]), shelf })
}

async function* flat(sessions: AsyncIterable<Pages>): Pages {
  for await (const pages of sessions) yield* pages
}

async function* whole(sessions: AsyncIterable<Pages>): Pages {
  for await (const pages of sessions) {
    let gathered: TextEntry[] = []
    let length = 0
    for await (const page of pages) {
      gathered = gathered.concat(page)
      for (const entry of page) if (!("error" in entry)) length += (entry.utf8 ?? entry.text).length
      if (length < LARGEST_PAGE) continue
      yield gathered
      gathered = []
      length = 0
    }
    yield gathered
  }
}

async function* rest(access: TextAccess, share: Share, onForeign: OnForeign | undefined): Pages {
  const sessions = new Set((await selectSessions(access, undefined)).map(({ session }) => session))
  const messages = new Set<string>()
  const isCovered = (key: string) => {
    const [kind, owner, ...below] = key.split("\0") as [string, string?, ...string[]]
    if (owner === undefined) return false
    if (kind === "project") return true
    if (kind === "session") return below.length === 1
    if (kind === "message") return sessions.has(owner)
    if (kind === "part") return messages.has(owner)
    return sessionBelongings.includes(kind) && below.length === 0 && sessions.has(owner)
  }
  // Keys come in order, messages before parts. Their shares differ, so that it takes the keys of all shares.
  for await (const keys of access.scanKeys({ onForeign })) {
    const others: string[] = []
    for (const key of keys) {
      if (!isCovered(key)) others.push(key)
      else if (key.startsWith("message\0")) messages.add(key.slice(key.lastIndexOf("\0") + 1))
    }
    yield await readPresent(
      access,
      others.filter((key) => isInShare(share, key)),
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
