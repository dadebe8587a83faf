import { sep } from "node:path"
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
import { EXTENSION } from "./file-name.js"
import { type Child, type Contents, contentsOf, type Foreign, type Trail } from "./folder-contents.js"
import type { FolderMemory } from "./folder-memory.js"
import type { LetterCase } from "./letter-case.js"
import { hasCode, storageFault } from "./storage-fault.js"
import { LEADS_OUT, leadsOut, type StoreBounds } from "./store-bounds.js"
import type { StoreLayout } from "./store-layout.js"

/** What the walk came upon. */
export type Sighting =
  | { readonly kind: "record"; readonly key: string; readonly path: string }
  | { readonly kind: "folder"; readonly path: string }
  /** A folder that could not be entered; the key is the prefix of what is in it. One that is no part of the store has a reason. */
  | {
      readonly kind: "barrier"
      readonly key: string
      readonly error: StorageError
      readonly path: string
      readonly reason?: string
    }
  | ({ readonly kind: "foreign" } & Foreign)

/** Where to walk. */
export interface Walk {
  readonly span: Span
  readonly reverse?: boolean | undefined
  readonly share?: Share | undefined
  /** Tells of folders, by the prefix of what is in them, that nobody wants to see. */
  readonly skips?: ((prefix: string) => boolean) | undefined
  readonly letterCase?: LetterCase | undefined
  /**
   * Notes what folders hold. Of those in which nothing was added or taken away `since` a time, which it spares listing, the
   * walk gives only what was changed since then.
   */
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
 * unless they lead back to where the walk came from, or out of the store.
 */
export function* walkStore(layout: StoreLayout, walk: Walk): Generator<Sighting, void, void> {
  const start = commonPrefix(walk.span)
  const path = layout.folderPath(start)
  const key = encodeKey(start)
  const span = start.length === 0 ? walk.span : below(walk.span, key)
  const folder = { path, key, depth: start.length, trail: [], span, bounds: layout.bounds }
  if (walk.letterCase?.isSpeltDifferently(path)) return
  if (folder.depth >= SHARED_DEPTH && !isWanted(walk, folder.key)) return
  // What comes next is at the end. Generators that call themselves would cost more than listing the folders.
  const ahead: (Sighting | Listing)[] = []
  enter(folder, walk, ahead)
  for (let next = ahead.at(-1); next !== undefined; next = ahead.at(-1)) {
    if ("kind" in next) {
      ahead.pop()
      yield next
    } else {
      const child = next.children[next.position++]
      if (child === undefined) ahead.pop()
      else turnTo(child, next.folder, walk, ahead)
    }
  }
}

/** A folder that is looked into. */
interface Folder {
  readonly path: string
  readonly key: string
  readonly depth: number
  readonly trail: Trail
  readonly bounds: StoreBounds
  /** What is wanted of the records in it. */
  readonly span: Span
}

/** What a folder holds, in the order of the walk, and how much of it lies behind. */
interface Listing {
  readonly folder: Folder
  readonly children: readonly Child[]
  position: number
}

/** Puts what a folder holds in front of what is ahead. */
function enter(folder: Folder, walk: Walk, ahead: (Sighting | Listing)[]): void {
  let contents: Contents
  try {
    contents = changesIn(folder, walk) ?? listed(folder, walk)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return
    const fault = storageFault("list the folder", error, folder.path)
    ahead.push({ kind: "barrier", key: folder.key, error: fault, path: folder.path })
    return
  }
  const children = walk.reverse ? contents.children.reverse() : contents.children
  ahead.push({ folder, children, position: 0 })
  for (const foreign of contents.foreign) ahead.push({ kind: "foreign", ...foreign })
  ahead.push({ kind: "folder", path: folder.path })
}

/** Puts the record and the descendants of a child in front of what is ahead, as far as they are wanted. */
function turnTo(child: Child, folder: Folder, walk: Walk, ahead: (Sighting | Listing)[]): void {
  const key = folder.depth === 0 ? child.segment : `${folder.key}\0${child.segment}`
  if (!overlaps(folder.span, key)) return
  const depth = folder.depth + 1
  const isShared = depth > SHARED_DEPTH || isWanted(walk, key)
  const record: Sighting | undefined =
    child.file !== undefined && isShared && isWithin(folder.span, key)
      ? { kind: "record", key, path: `${folder.path}${sep}${child.file}` }
      : undefined
  if (record !== undefined && walk.reverse) ahead.push(record)
  if (child.folder !== undefined && (isShared || depth < SHARED_DEPTH) && !walk.skips?.(key)) {
    const path = `${folder.path}${sep}${child.folder}`
    const { trail } = child
    if (trail === undefined)
      ahead.push({ kind: "barrier", key, path, error: leadsOut(path), reason: LEADS_OUT })
    else enter({ path, key, depth, trail, span: below(folder.span, key), bounds: folder.bounds }, walk, ahead)
  }
  if (record !== undefined && !walk.reverse) ahead.push(record)
}

function changesIn({ path, key }: Folder, { memory, since }: Walk): Contents | undefined {
  return since === undefined ? undefined : memory?.changesIn(path, key, since)
}

function listed({ path, key, depth, trail, bounds }: Folder, { memory, since }: Walk): Contents {
  // Where the walk begins, folders above may be links; those below it are looked at one by one.
  if (trail.length === 0) bounds.requireInside(`${path}${sep}`, "read")
  const contents = contentsOf(path, depth === 0, trail, bounds)
  if (memory !== undefined && depth > 0 && since === undefined) {
    const { children, foreign } = contents
    if (foreign.length === 0 && children.every(isPlain))
      memory.note(
        key,
        children.map(({ segment }) => segment),
      )
  }
  return contents
}

/** Whether there is a record alone, in a file that is named like it. */
function isPlain({ segment, file, folder }: Child): boolean {
  return folder === undefined && file?.length === segment.length + EXTENSION.length
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
