import { dirname } from "node:path"
import { makeFolder, syncFolder } from "./sync-folder.js"

/** So many folders are remembered; then it begins anew. */
const MOST_FOLDERS = 100_000

/**
 * Makes the names of a store reach the disk: a file is lost when the machine dies and the name of a folder above it, be it
 * made by this process or by another one just now, is not there.
 */
export class DurableFolders {
  readonly #root: string
  readonly #known = new Set<string>()

  constructor(root: string) {
    this.#root = root
  }

  /** Waits until the names in a folder of the store have reached the disk, and its own, up to that of the store. */
  async sync(folder: string): Promise<void> {
    await syncFolder(folder)
    for (
      let place = folder;
      !this.#known.has(place) && place.length >= this.#root.length;
      place = dirname(place)
    ) {
      await syncFolder(dirname(place))
      if (this.#known.size >= MOST_FOLDERS) this.#known.clear()
      this.#known.add(place)
    }
  }

  /** Makes a folder and what is missing above it. Nothing is known of it yet, even if there was one before. */
  make(folder: string): void {
    const topmost = makeFolder(folder)
    if (topmost === undefined) return
    for (let place = folder; place.length >= topmost.length; place = dirname(place)) this.#known.delete(place)
  }
}
