import { statSync } from "node:fs"
import { sep } from "node:path"
import { EXTENSION } from "./file-name.js"
import type { Child, Contents } from "./folder-contents.js"

/** So many names are remembered, which takes some 15 MB; folders beyond that are listed again. */
const LIMIT = 250_000

/**
 * What folders of nothing but records held when they were listed, so that looking for changes need not list them
 * again: nearly all folders of a store hold the few parts of one message.
 */
export class FolderMemory {
  /** By the keys of the folders, which are shorter than their paths. */
  readonly #segments = new Map<string, string>()
  #room = LIMIT

  note(key: string, { children, foreign }: Contents): void {
    if (children.length === 0 || children.length > this.#room || foreign.length > 0) return
    if (!children.every(isPlain) || this.#segments.has(key)) return
    this.#room -= children.length
    // One string takes far less room than a list of them.
    this.#segments.set(key, children.map(({ segment }) => segment).join(sep))
  }

  /** What is in a folder, if that is known and nothing was added or taken away since a time. */
  recall(folder: string, key: string, since: number): Contents | undefined {
    const segments = this.#segments.get(key)
    if (segments === undefined) return undefined
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) >= since) return undefined
    const children = segments.split(sep).map((segment) => {
      return { segment, file: `${segment}${EXTENSION}`, folder: undefined, trail: [] }
    })
    return { children, foreign: [] }
  }
}

/** Whether there is a record alone, in a file that is named like it. */
function isPlain({ segment, file, folder }: Child): boolean {
  return folder === undefined && file?.length === segment.length + EXTENSION.length
}
