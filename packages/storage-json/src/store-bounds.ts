import { realpathSync } from "node:fs"
import { dirname, sep } from "node:path"
import { type Key, StorageError } from "@sessile/core/storage"
import { hasCode } from "./storage-fault.js"

/** So many folders are remembered to lie inside; then it begins anew. */
const MOST_FOLDERS = 100_000

const NOT_THERE = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"]

/** What to do about a link that leads out. */
const ADVICE = "put what it links to in its place, or open the store that it leads to"

/**
 * Where a store ends. Links within it are followed, and so is the path of the store itself; what lies elsewhere is not
 * its own, and neither read nor changed.
 */
export class StoreBounds {
  readonly #root: string
  readonly #inside = new Set<string>()
  #realRoot: string | undefined

  constructor(root: string) {
    this.#root = root
  }

  /** Whether a path without links lies in the store. */
  contains(realPath: string): boolean {
    this.#realRoot ??= realpathSync.native(this.#root)
    return realPath === this.#realRoot || realPath.startsWith(this.#realRoot + sep)
  }

  /**
   * Refuses a path that a folder on the way leads out of the store. For reading, once in the life of each folder.
   *
   * @throws StorageError `CORRUPT`
   */
  requireInside(path: string, purpose: "read" | "change", key?: Key): void {
    const folder = path.slice(0, path.lastIndexOf(sep))
    if (purpose === "read" && this.#inside.has(folder)) return
    if (!this.#isInside(folder)) throw leadsOut(path, key)
    if (this.#inside.size >= MOST_FOLDERS) this.#inside.clear()
    this.#inside.add(folder)
  }

  /** Folders that are not there yet will be made where the last one above them is. */
  #isInside(folder: string): boolean {
    for (let place = folder; ; place = dirname(place)) {
      try {
        return place.length < this.#root.length || this.contains(realpathSync.native(place))
      } catch (error) {
        if (hasCode(error, "ELOOP")) return false
        if (!hasCode(error, ...NOT_THERE)) throw error
      }
    }
  }
}

/** What is said of a link that leads out of a store. */
export const LEADS_OUT = "a link that leads out of the store"

export function leadsOut(path: string, key?: Key): StorageError {
  return new StorageError("CORRUPT", `This is, or lies behind, ${LEADS_OUT}; ${ADVICE}`, { key, path })
}
