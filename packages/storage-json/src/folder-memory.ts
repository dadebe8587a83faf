import { statSync } from "node:fs"
import { sep } from "node:path"
import type { Contents } from "./folder-contents.js"
import { recordSegment } from "./store-layout.js"

/** So many names are remembered, which takes some 15 MB; folders beyond that are listed again. */
const LIMIT = 250_000

/**
 * What folders of nothing but records held when they were listed, so that looking for changes need not list them
 * again: nearly all folders of a store hold the few parts of one message.
 */
export class FolderMemory {
  readonly #names = new Map<string, string>()
  #room = LIMIT

  note(folder: string, { children, foreign }: Contents): void {
    const isPlain = foreign.length === 0 && children.every(({ folder }) => folder === undefined)
    if (!isPlain || children.length === 0 || children.length > this.#room || this.#names.has(folder)) return
    this.#room -= children.length
    // One string takes far less room than a list of them.
    this.#names.set(folder, children.map(({ file }) => file?.slice(folder.length + 1)).join(sep))
  }

  /** What is in a folder, if that is known and nothing was added or taken away since a time. */
  recall(folder: string, since: number): Contents | undefined {
    const names = this.#names.get(folder)
    if (names === undefined) return undefined
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) >= since) return undefined
    const children = names.split(sep).map((name) => ({
      segment: recordSegment(name, false) as string,
      file: `${folder}${sep}${name}`,
    }))
    return { children, foreign: [] }
  }
}
