import { statSync } from "node:fs"
import { sep } from "node:path"
import { EXTENSION } from "./file-name.js"
import type { Child, Contents } from "./folder-contents.js"

/** So many bytes are remembered, and of so many folders; those beyond that are listed again. */
const LIMIT = 16 * 1024 * 1024
const MOST_FOLDERS = 2 ** 17
const CHUNK = 256 * 1024

/** Twice as many, so that few of them are in each other's way; a power of two. */
const SLOTS = 2 * MOST_FOLDERS

const LINE_END = "\n"

/** Media tell times of change with this many milliseconds of tolerance. */
const TIME_TOLERANCE = 2_000

/**
 * What folders of nothing but records held when they were listed, so that looking for changes need not list them
 * again: nearly all folders of a store hold the few parts of one message. It is written down, with a table that tells
 * where: as so many strings in a map it would take several times the room.
 */
export class FolderMemory {
  readonly #began: number
  /** A line with the key of each folder, and one with the segments in it. */
  readonly #chunks: Buffer[] = []
  /** How much of the last chunk is taken, and of all of them. */
  #end = 0
  #size = 0
  /** Where the lines of folders are, by the hashes of their keys, counted from 1. */
  #places: Uint32Array | undefined
  #count = 0

  /** `began` is a time before anything is listed. */
  constructor(began: number = Date.now()) {
    this.#began = began
  }

  /** Notes what a folder holds that has just been listed. */
  note(key: string, { children, foreign }: Contents): void {
    if (children.length === 0 || foreign.length > 0 || !children.every(isPlain)) return
    const segments = children.map(({ segment }) => segment).join(sep)
    if (key.includes(LINE_END) || segments.includes(LINE_END)) return
    this.#places ??= new Uint32Array(SLOTS)
    const slot = this.#slotOf(key, this.#places)
    if (this.#places[slot] !== 0 || this.#count >= MOST_FOLDERS) return
    const place = this.#write(`${key}${LINE_END}${segments}${LINE_END}`)
    if (place === undefined) return
    this.#places[slot] = place + 1
    this.#count++
  }

  /** What is in a folder, if that is known, and if nothing was added or taken away since a time and since it is known. */
  recall(folder: string, key: string, since: number): Contents | undefined {
    const place = this.#places?.[this.#slotOf(key, this.#places)]
    if (!place) return undefined
    const stats = statSync(folder, { throwIfNoEntry: false })
    const unchanged = Math.min(since, this.#began - TIME_TOLERANCE)
    if (stats === undefined || Math.max(stats.mtimeMs, stats.ctimeMs) >= unchanged) return undefined
    const [, end] = this.#lineAt(place - 1)
    const [segments] = this.#lineAt(place - 1 + end + 1)
    const children = segments.split(sep).map((segment) => {
      return { segment, file: `${segment}${EXTENSION}`, folder: undefined, trail: [] }
    })
    return { children, foreign: [] }
  }

  /** The slot of a folder, or the one that it would get. */
  #slotOf(key: string, places: Uint32Array): number {
    let slot = hashOf(key) % SLOTS
    for (; ; slot = (slot + 1) % SLOTS) {
      const place = places[slot] as number
      if (place === 0 || this.#lineAt(place - 1)[0] === key) return slot
    }
  }

  /** Gives where it was written. */
  #write(lines: string): number | undefined {
    const length = Buffer.byteLength(lines)
    if (this.#size + length > LIMIT) return undefined
    let chunk = this.#chunks.at(-1)
    if (chunk === undefined || this.#end + length > chunk.length) {
      chunk = Buffer.alloc(Math.max(length, CHUNK))
      this.#chunks.push(chunk)
      this.#end = 0
    }
    chunk.write(lines, this.#end)
    const place = (this.#chunks.length - 1) * LIMIT + this.#end
    this.#end += length
    this.#size += length
    return place
  }

  /** A line, and how many bytes it takes. */
  #lineAt(place: number): [line: string, bytes: number] {
    const chunk = this.#chunks[Math.floor(place / LIMIT)] as Buffer
    const start = place % LIMIT
    const end = chunk.indexOf(LINE_END, start)
    return [chunk.toString("utf8", start, end), end - start]
  }
}

/** Of the last characters of a key, in which keys differ most. */
function hashOf(key: string): number {
  let hash = 0
  for (let index = Math.max(0, key.length - 32); index < key.length; index++) {
    hash = (Math.imul(hash, 31) + key.charCodeAt(index)) >>> 0
  }
  return hash
}

/** Whether there is a record alone, in a file that is named like it. */
function isPlain({ segment, file, folder }: Child): boolean {
  return folder === undefined && file?.length === segment.length + EXTENSION.length
}
