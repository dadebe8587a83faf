import { statSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"
import { UsageError } from "../exit-code.js"
import { findJsonPlaces } from "./json-places.js"
import { ADAPTER, type StoreAddress } from "./store-address.js"

/** A place that a conversion may write to. */
export interface WrittenPlace {
  /** What it is, for the message. */
  readonly role: string
  readonly path: string
}

/**
 * Refuses to write into the source, or around it: a source that is converted into itself would not stay as it is.
 * Links are followed.
 */
export async function refuseOverlap(
  source: StoreAddress,
  target: StoreAddress,
  others: readonly WrittenPlace[],
): Promise<void> {
  if (source.kind === ADAPTER) return
  const places = [...(target.kind === ADAPTER ? [] : [{ role: "target", path: target.path }]), ...others]
  for (const path of await placesRead(source, target)) await refuseEach(await realPath(path), places)
}

/** What is read of the source. opencode's database belongs into its data folder, beside the JSON files there. */
async function placesRead(source: StoreAddress, target: StoreAddress): Promise<string[]> {
  const isInDataFolder =
    source.kind === "json" &&
    target.kind === "opencode" &&
    (await realPath(dirname(target.path))) === (await realPath(source.path))
  if (!isInDataFolder) return [source.path]
  const { storage = source.path, legacy = storage } = (await findJsonPlaces(source.path)) ?? {}
  return [storage, legacy]
}

async function refuseEach(from: string, places: readonly WrittenPlace[]): Promise<void> {
  for (const { role, path } of places) {
    const to = await realPath(path)
    if (to === from || isSameFile(from, to))
      throw new UsageError(`The ${role} is the source itself (${path}); choose another place`)
    if (isInside(from, to))
      throw new UsageError(`The ${role} lies inside the source (${path}); choose another place`)
    if (isInside(to, from))
      throw new UsageError(`The source lies inside the ${role} (${path}); choose another place`)
  }
}

/** The path without links; what is not there yet keeps its name. */
async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || dirname(path) === path) return path
    return join(await realPath(dirname(path)), basename(path))
  }
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== "" && way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

// Another name of the same file, by a hard link, is the same file.
function isSameFile(first: string, second: string): boolean {
  const [a, b] = [first, second].map((path) => statSync(path, { throwIfNoEntry: false }))
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}
