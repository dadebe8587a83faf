import {
  encodeKey,
  type ForeignFile,
  isInShare,
  type Key,
  type Share,
  type TextEntry,
  type TextScanOptions,
} from "@sessile/core/storage"
import { bySession } from "./by-session.js"
import { EntryReader } from "./entry-reader.js"
import type { ReadPage } from "./read-page.js"
import { readRecord } from "./read-record.js"
import { type SessionSelection, selectSessions } from "./session-selection.js"
import { SharedShelf } from "./shared-shelf.js"
import { type SourcePage, unpackPage } from "./source-page.js"
import { readPresent, type TextAccess } from "./text-access.js"
import { WholeReader } from "./whole-reader.js"

/**
 * What to read, and in which order:
 * - `all`: everything, in key order;
 * - `projects`: the projects, those of selected sessions only where there is a selection;
 * - `sessions`: session by session, each with all that belongs to it. Without a selection, all else comes at the end, but
 *   for projects: other records, and those without owners. What is of the kinds of `whole` comes in one page for each
 *   session, or in several where it is very large, and no page has records of several owners of it; without a selection,
 *   other kinds come at the end, too;
 * - `prefix`: what is below a prefix, in key order;
 * - `changed`: everything that was changed since a time.
 */
export type ReadingPlan =
  | { readonly take: "all" }
  | { readonly take: "projects"; readonly selection?: SessionSelection | undefined }
  | SessionsPlan
  | { readonly take: "prefix"; readonly prefix: Key }
  | { readonly take: "changed"; readonly since: number }

type WholePlan = SessionsPlan & { readonly whole: readonly string[] }

interface SessionsPlan {
  readonly take: "sessions"
  readonly selection?: SessionSelection | undefined
  /** The kinds of records that are wanted together. */
  readonly whole?: readonly string[] | undefined
}

/** Told of what lies in a store without being a record, at least once each, where everything is read. */
export type OnForeign = (file: ForeignFile) => void

const EVERYTHING: Share = { index: 0, count: 1 }

/** Reads what a plan asks for, in pages. */
export async function* readPages(
  access: TextAccess,
  plan: ReadingPlan,
  onForeign?: OnForeign,
): AsyncGenerator<ReadPage, void, void> {
  if (!takesWhole(plan)) {
    for await (const page of entryPages(access, plan, EVERYTHING, { onForeign })) {
      yield { records: page.map(readRecord) }
    }
    return
  }
  const shelf = new SharedShelf()
  for await (const packed of wholeSessions(access, plan, EVERYTHING, shelf, onForeign)) {
    yield unpackPage(packed, shelf.pieces)
    shelf.giveBack(shelf.clear())
  }
}

/** Whether whole sessions are wanted. Those who want them take records apart, which lines make easier. */
export function takesWhole(plan: ReadingPlan): plan is WholePlan {
  return "whole" in plan && plan.whole !== undefined
}

/** One share of whole sessions, packed. */
export function wholeSessions(
  access: TextAccess,
  { selection, whole }: WholePlan,
  share: Share,
  shelf: SharedShelf,
  onForeign: OnForeign | undefined,
): AsyncGenerator<SourcePage, void, void> {
  const reader = new WholeReader(access, shelf, whole, onForeign)
  return bySession(access, { selection, kinds: whole, share, onForeign }, reader)
}

/** One share of that, as the store gives it. */
export function entryPages(
  access: TextAccess,
  plan: ReadingPlan,
  share: Share,
  { onForeign, shelf }: Pick<TextScanOptions, "onForeign" | "shelf">,
): AsyncIterable<readonly TextEntry[]> {
  if (plan.take === "all") return access.scanTexts({ share, onForeign, shelf })
  if (plan.take === "prefix") return access.scanTexts({ prefixes: [plan.prefix], share })
  if (plan.take === "changed") return access.scanTexts({ share, changedSince: plan.since })
  if (plan.take === "projects") return projects(access, plan.selection, share)
  const reader = new EntryReader(access, { onForeign, shelf })
  return bySession(access, { selection: plan.selection, share, onForeign }, reader)
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
