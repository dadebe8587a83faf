import { type Stats, statSync } from "node:fs"
import { realpath } from "node:fs/promises"
import { basename, dirname, isAbsolute, join, relative, sep } from "node:path"
import { UsageError } from "../exit-code.js"
import { findJsonPlaces } from "./json-places.js"
import { ADAPTER, type StoreAddress } from "./store-address.js"
import type { StorePart } from "./store-kind.js"

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
  parts: readonly StorePart[] = [],
): Promise<void> {
  if (source.kind === ADAPTER) return
  const places = [...(target.kind === ADAPTER ? [] : [{ role: "target", path: target.path }]), ...others]
  const read = [...(await placesRead(source, target)), ...parts.map(({ address }) => address.path)]
  for (const path of read) await refuseEach(await realPath(path), places, source)
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

async function refuseEach(
  from: string,
  places: readonly WrittenPlace[],
  source: StoreAddress,
): Promise<void> {
  const instead =
    source.kind === "history" ? `, or json:${source.path} to read only the JSON files there` : ""
  for (const { role, path } of places) {
    const to = await realPath(path)
    const advice = `(${path}); choose another path${instead}`
    if (to === from || isSameFile(from, to))
      throw new UsageError(`The ${role} is the source itself ${advice}`)
    if (isInside(from, to)) throw new UsageError(`The ${role} is inside the source ${advice}`)
    if (isInside(to, from)) throw new UsageError(`The source is inside the ${role} ${advice}`)
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
  const [a, b] = [first, second].map(statIfPresent)
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino
}

function statIfPresent(path: string): Stats | undefined {
  try {
    return statSync(path)
  } catch (error) {
    if (["ENOENT", "ENOTDIR"].includes((error as NodeJS.ErrnoException).code ?? "")) return undefined
    throw error
  }
}
