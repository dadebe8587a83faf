import { readdir, realpath, stat } from "node:fs/promises"
import { dirname, join, sep } from "node:path"
import { compareUtf8, decodeKey, isWithin, type Span, type StorageError } from "@sessile/core/storage"
import { decodeSegment, EXTENSION } from "./file-name.js"
import type { LetterCase } from "./letter-case.js"
import { hasCode, storageFault } from "./storage-fault.js"
import type { StoreLayout } from "./store-layout.js"

/** A record that the walk came upon, or a folder that it could not enter. */
export type Sighting =
  | { readonly key: string; readonly path: string }
  | { readonly key: string; readonly error: StorageError }

/**
 * The records of a span, in key order or against it. One folder is in memory at a time for each level, folders
 * outside the span are not read, and whatever is not a record's file is passed over. Linked folders are
 * followed unless they lead back to where the walk came from.
 */
export async function* walkRecords(
  layout: StoreLayout,
  span: Span,
  reverse: boolean,
  letterCase?: LetterCase,
): AsyncGenerator<Sighting, void, void> {
  const start = commonPrefix(span)
  const folder = layout.folderPath(start)
  if (await letterCase?.isSpeltDifferently(folder)) return
  yield* walkFolder(folder, start.join("\0"), [], span, reverse)
}

async function* walkFolder(
  folder: string,
  prefix: string,
  trail: Trail,
  span: Span,
  reverse: boolean,
): AsyncGenerator<Sighting, void, void> {
  let children: Child[]
  try {
    children = await childrenOf(folder)
  } catch (error) {
    if (hasCode(error, "ENOENT", "ENOTDIR", "ENAMETOOLONG")) return
    yield { key: prefix, error: storageFault("list the folder", error, folder) }
    return
  }
  for (const child of reverse ? children.reverse() : children) {
    const key = prefix === "" ? child.segment : `${prefix}\0${child.segment}`
    if (!overlaps(span, key)) continue
    const own =
      child.file !== undefined && isWithin(span, key) ? { key, path: join(folder, child.file) } : undefined
    if (own && !reverse) yield own
    const below = child.folder === undefined ? undefined : join(folder, child.folder)
    const onward = below !== undefined && child.linked ? await follow(below, trail) : trail
    if (below !== undefined && onward) yield* walkFolder(below, key, onward, span, reverse)
    if (own && reverse) yield own
  }
}

/** The real paths of the folders whose links were followed. */
type Trail = readonly string[]

/** What a folder holds under one segment: a record, the folder of its descendants, or both. */
interface Child {
  readonly segment: string
  file?: string
  folder?: string
  linked?: boolean
}

async function childrenOf(folder: string): Promise<Child[]> {
  const children = new Map<string, Child>()
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const kind = entry.isFile()
      ? "file"
      : entry.isDirectory()
        ? "folder"
        : await kindOfTarget(join(folder, entry.name))
    if (kind === undefined) continue
    if (kind === "file" && !entry.name.endsWith(EXTENSION)) continue
    const segment = decodeSegment(kind === "file" ? entry.name.slice(0, -EXTENSION.length) : entry.name)
    if (segment === undefined) continue
    const child = children.get(segment) ?? { segment }
    child[kind] = entry.name
    if (kind === "folder") child.linked = !entry.isDirectory()
    children.set(segment, child)
  }
  return [...children.values()].sort((a, b) => compareUtf8(a.segment, b.segment))
}

const LEADS_NOWHERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES"]

// For a link, or an entry whose kind the file system does not tell without being asked.
async function kindOfTarget(path: string): Promise<"file" | "folder" | undefined> {
  try {
    const target = await stat(path)
    if (target.isFile()) return "file"
    return target.isDirectory() ? "folder" : undefined
  } catch (error) {
    if (hasCode(error, ...LEADS_NOWHERE)) return undefined
    throw error
  }
}

/** The trail behind a link, or `undefined` when it leads back to a place above itself or above the trail. */
async function follow(link: string, trail: Trail): Promise<Trail | undefined> {
  try {
    const [target, folder] = await Promise.all([realpath(link), realpath(dirname(link))])
    const onward = [...trail, folder]
    return onward.some((place) => `${place}${sep}`.startsWith(`${target}${sep}`)) ? undefined : onward
  } catch (error) {
    if (hasCode(error, ...LEADS_NOWHERE)) return undefined
    throw error
  }
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
  return compareUtf8(`${key}\x01`, span.gte) > 0 && (span.lt === undefined || compareUtf8(key, span.lt) < 0)
}
