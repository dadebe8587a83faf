import {
  compareUtf8,
  decodeKey,
  encodeKey,
  isInShare,
  isWithin,
  type Share,
  type Span,
  type StorageError,
} from "@sessile/core/storage"
import { type Contents, contentsOf, type Foreign, type Trail } from "./folder-contents.js"
import type { FolderMemory } from "./folder-memory.js"
import type { LetterCase } from "./letter-case.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreLayout } from "./store-layout.js"

/** What the walk came upon. */
export type Sighting =
  | { readonly kind: "record"; readonly key: string; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  /** A folder that could not be entered; the key is the prefix of what is in it. */
  | { readonly kind: "barrier"; readonly key: string; readonly error: StorageError }
  | ({ readonly kind: "foreign" } & Foreign)

/** Where to walk. */
export interface Walk {
  readonly span: Span
  readonly reverse?: boolean | undefined
  readonly share?: Share | undefined
  readonly letterCase?: LetterCase | undefined
  /** Notes what folders hold, and spares listing those in which nothing was added or taken away `since` a time. */
  readonly memory?: FolderMemory | undefined
  readonly since?: number | undefined
}

/** The span of all records. */
export const EVERYTHING: Span = { gte: "", lt: undefined }

/** Shares are told by this many segments. */
const SHARED_DEPTH = 2

/**
 * The records of a span, in key order or against it, and all else that their folders hold. One folder is in memory
 * at a time for each level, and folders outside the span or the share are not read. Linked folders are followed
 * unless they lead back to where the walk came from.
 */
export function* walkStore(layout: StoreLayout, walk: Walk): Generator<Sighting, void, void> {
  const start = commonPrefix(walk.span)
  const path = layout.folderPath(start)
  const folder = { path, key: encodeKey(start), depth: start.length, trail: [], span: walk.span }
  if (walk.letterCase?.isSpeltDifferently(path)) return
  if (folder.depth >= SHARED_DEPTH && !isWanted(walk, folder.key)) return
  // What comes next is at the end. Generators that call themselves would cost more than listing the folders.
  const ahead: (Sighting | Folder)[] = [folder]
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if ("kind" in next) yield next
    else enter(next, walk, ahead)
  }
}

/** A folder that is yet to be looked into. */
interface Folder {
  readonly path: string
  readonly key: string
  readonly depth: number
  readonly trail: Trail
  /** What is wanted of the records in it. */
  readonly span: Span
}

/** Puts what a folder holds in front of what is ahead, the last of it first. */
function enter(folder: Folder, walk: Walk, ahead: (Sighting | Folder)[]): void {
  let contents: Contents
  try {
    contents = recalled(folder, walk) ?? listed(folder, walk)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return
    const fault = storageFault("list the folder", error, folder.path)
    ahead.push({ kind: "barrier", key: folder.key, error: fault })
    return
  }
  const depth = folder.depth + 1
  for (const child of walk.reverse ? contents.children : contents.children.reverse()) {
    const key = folder.depth === 0 ? child.segment : `${folder.key}\0${child.segment}`
    if (!overlaps(folder.span, key)) continue
    const wanted = depth > SHARED_DEPTH || isWanted(walk, key)
    const path = wanted && isWithin(folder.span, key) ? child.file : undefined
    if (path !== undefined && walk.reverse) ahead.push({ kind: "record", key, path })
    if (child.folder !== undefined && (wanted || depth < SHARED_DEPTH)) {
      const { path, trail } = child.folder
      ahead.push({ path, key, depth, trail, span: below(folder.span, key) })
    }
    if (path !== undefined && !walk.reverse) ahead.push({ kind: "record", key, path })
  }
  for (const foreign of contents.foreign) ahead.push({ kind: "foreign", ...foreign })
  ahead.push({ kind: "folder", path: folder.path })
}

function recalled({ path, key }: Folder, { memory, since }: Walk): Contents | undefined {
  return since === undefined ? undefined : memory?.recall(path, key, since)
}

function listed({ path, key, depth, trail }: Folder, { memory }: Walk): Contents {
  const contents = contentsOf(path, depth === 0, trail)
  if (depth > 0) memory?.note(path, key, contents)
  return contents
}

/** What is wanted of a folder: everything, without bounds, where all that is in it lies within them. */
function below(span: Span, key: string): Span {
  return span !== EVERYTHING && coversAllBelow(span, key) ? EVERYTHING : span
}

function isWanted({ share }: Walk, key: string): boolean {
  return share === undefined || isInShare(share, key)
}

/** The longest prefix that has the whole span below it: where the walk may begin. */
function commonPrefix(span: Span): string[] {
  const candidate = decodeKey(span.gte).slice(0, -1)
  while (candidate.length > 0 && !endsWithin(span, `${candidate.join("\0")}\x01`)) candidate.pop()
  return candidate
}

function endsWithin(span: Span, end: string): boolean {
  return span.lt !== undefined && compareUtf8(span.lt, end) <= 0
}

/** Whether a key or anything below it may lie in the span. */
function overlaps(span: Span, key: string): boolean {
  if (span === EVERYTHING) return true
  return compareUtf8(`${key}\x01`, span.gte) > 0 && (span.lt === undefined || compareUtf8(key, span.lt) < 0)
}

function coversAllBelow(span: Span, key: string): boolean {
  if (compareUtf8(`${key}\0`, span.gte) < 0) return false
  return span.lt === undefined || compareUtf8(`${key}\x01`, span.lt) <= 0
}
