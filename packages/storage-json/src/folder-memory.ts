import { statSync } from "node:fs"
import { sep } from "node:path"
import { compareUtf8 } from "@sessile/core/storage"
import { EXTENSION } from "./file-name.js"
import type { Child, Contents } from "./folder-contents.js"

/** So many bytes are remembered; folders beyond that are listed again. */
const LIMIT = 16 * 1024 * 1024
const CHUNK = 256 * 1024

const LINE_END = "\n"

/** The key of a folder, and what was in it. */
interface Remembered {
  readonly key: string
  readonly segments: string
}

/**
 * What folders of nothing but records held when they were listed, so that looking for changes need not list them
 * again: nearly all folders of a store hold the few parts of one message. It is written down in the order of the walk
 * and read in the same order: as so many strings it would take three times the room.
 */
export class FolderMemory {
  /** A line with the key of each folder, and one with the segments in it. */
  #chunks: Buffer[] = []
  /** How much of the last chunk is taken, and of all of them. */
  #end = 0
  #size = 0
  /** The chunk that is read, and how much of it was. */
  #chunk = 0
  #position = 0
  #next: Remembered | undefined

  /** A walk begins that notes what it lists. */
  begin(): void {
    this.#chunks = []
    this.#end = 0
    this.#size = 0
  }

  /** A walk begins that recalls what the last one has noted. */
  rewind(): void {
    this.#chunk = 0
    this.#position = 0
    this.#next = this.#read()
  }

  note(key: string, { children, foreign }: Contents): void {
    if (children.length === 0 || foreign.length > 0 || !children.every(isPlain)) return
    const segments = children.map(({ segment }) => segment).join(sep)
    if (key.includes(LINE_END) || segments.includes(LINE_END)) return
    this.#write(`${key}${LINE_END}${segments}${LINE_END}`)
  }

  /** What is in a folder, if that is known and nothing was added or taken away since a time. Keys come in order. */
  recall(folder: string, key: string, since: number): Contents | undefined {
    while (this.#next !== undefined && compareUtf8(this.#next.key, key) < 0) this.#next = this.#read()
    if (this.#next?.key !== key) return undefined
    const stats = statSync(folder, { throwIfNoEntry: false })
    if (stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) >= since) return undefined
    const children = this.#next.segments.split(sep).map((segment) => {
      return { segment, file: `${segment}${EXTENSION}`, folder: undefined, trail: [] }
    })
    return { children, foreign: [] }
  }

  #write(lines: string): void {
    const length = Buffer.byteLength(lines)
    if (this.#size + length > LIMIT) return
    let chunk = this.#chunks.at(-1)
    if (chunk === undefined || this.#end + length > chunk.length) {
      chunk = Buffer.alloc(Math.max(length, CHUNK))
      this.#chunks.push(chunk)
      this.#end = 0
    }
    chunk.write(lines, this.#end)
    this.#end += length
    this.#size += length
  }

  #read(): Remembered | undefined {
    const chunk = this.#chunks[this.#chunk]
    if (chunk === undefined) return undefined
    const middle = chunk.indexOf(LINE_END, this.#position)
    if (middle === -1) {
      this.#chunk++
      this.#position = 0
      return this.#read()
    }
    const key = chunk.toString("utf8", this.#position, middle)
    const end = chunk.indexOf(LINE_END, middle + 1)
    this.#position = end + 1
    return { key, segments: chunk.toString("utf8", middle + 1, end) }
  }
}

/** Whether there is a record alone, in a file that is named like it. */
function isPlain({ segment, file, folder }: Child): boolean {
  return folder === undefined && file?.length === segment.length + EXTENSION.length
}
