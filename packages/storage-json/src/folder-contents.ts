import { type Dirent, readdirSync, realpathSync, statSync } from "node:fs"
import { dirname, sep } from "node:path"
import { compareUtf8 } from "@sessile/core/storage"
import { decodeSegment } from "./file-name.js"
import { hasCode } from "./storage-fault.js"
import type { StoreBounds } from "./store-bounds.js"
import { PRIVATE, recordSegment } from "./store-layout.js"

export interface Contents {
  /** In key order. */
  readonly children: Child[]
  readonly foreign: readonly Foreign[]
}

/**
 * What a folder holds under one segment: a record, the folder of its descendants, or both. There may be very many of
 * them, so that names do for paths.
 */
export interface Child {
  readonly segment: string
  /** The name of the record's file. */
  readonly file: string | undefined
  /** The name of the folder. */
  readonly folder: string | undefined
  /** The trail of the folder; `undefined` for one that is a link out of the store. */
  readonly trail: Trail | undefined
}

/** What is no record, and no folder of records either. */
export interface Foreign {
  readonly path: string
  readonly reason: string
  readonly isFolder: boolean
}

/** The real paths of the folders whose links led here. */
export type Trail = readonly string[]

/** What is in a folder of a store. */
export function contentsOf(folder: string, isRoot: boolean, trail: Trail, bounds: StoreBounds): Contents {
  const children: Child[] = []
  const foreign: Foreign[] = []
  let folders = 0
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (isRoot && entry.name === PRIVATE) continue
    const path = `${folder}${sep}${entry.name}`
    const found = recognise(entry, path, isRoot, trail, bounds)
    if (typeof found === "string") foreign.push({ path, reason: found, isFolder: entry.isDirectory() })
    else {
      children.push(found)
      if (found.folder !== undefined) folders++
    }
  }
  const isMixed = folders > 0 && folders < children.length
  return { children: (isMixed ? joined(children) : children).sort(bySegment), foreign }
}

/** With a record and the folder of its descendants in one. */
function joined(children: readonly Child[]): Child[] {
  const whole = new Map<string, Child>()
  for (const child of children) {
    const { segment, file, folder } = child
    const twin = whole.get(segment)
    const { trail } = folder === undefined ? (twin ?? child) : child
    whole.set(segment, { segment, file: file ?? twin?.file, folder: folder ?? twin?.folder, trail })
  }
  return [...whole.values()]
}

function bySegment(a: Child, b: Child): number {
  return compareUtf8(a.segment, b.segment)
}

/** What an entry adds to the records, or the reason why it adds nothing. */
function recognise(
  entry: Dirent,
  path: string,
  isRoot: boolean,
  trail: Trail,
  bounds: StoreBounds,
): Child | string {
  const kind = entry.isFile() ? "file" : entry.isDirectory() ? "folder" : kindOfTarget(path)
  if (kind === "nothing") return "a link to no file or folder"
  const record = recordSegment(entry.name, isRoot)
  // Whatever stands in the place of a record is one, if only one that cannot be read.
  if (record !== undefined) return { segment: record, file: entry.name, folder: undefined, trail }
  const segment = kind === "folder" ? decodeSegment(entry.name) : undefined
  if (segment === undefined)
    return kind === "other" ? "neither a file nor a folder" : "a name that no record has"
  const onward = entry.isDirectory() ? trail : follow(path, trail, bounds)
  if (onward === "back") return "a link that leads back"
  return { segment, file: undefined, folder: entry.name, trail: onward === "out" ? undefined : onward }
}

const LEADS_NOWHERE = ["ENOENT", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EACCES"]

// For a link, or an entry whose kind the file system does not tell without being asked.
function kindOfTarget(path: string): "file" | "folder" | "other" | "nothing" {
  try {
    const target = statSync(path)
    if (target.isFile()) return "file"
    return target.isDirectory() ? "folder" : "other"
  } catch (error) {
    if (hasCode(error, ...LEADS_NOWHERE)) return "nothing"
    throw error
  }
}

/** The trail behind a link to a folder, unless that is above the link or the trail, or out of the store. */
function follow(link: string, trail: Trail, bounds: StoreBounds): Trail | "back" | "out" {
  try {
    const target = realpathSync(link)
    const onward = [...trail, realpathSync(dirname(link))]
    if (onward.some((place) => `${place}${sep}`.startsWith(`${target}${sep}`))) return "back"
    return bounds.contains(target) ? onward : "out"
  } catch (error) {
    if (hasCode(error, ...LEADS_NOWHERE)) return "back"
    throw error
  }
}
