import { sep } from "node:path"
import { changeTime } from "./change-time.js"
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

  /** Notes the segments of the records in a folder that has just been listed, and holds nothing else. */
  note(key: string, records: readonly string[]): void {
    const segments = records.join(sep)
    if (segments === "" || key.includes(LINE_END) || segments.includes(LINE_END)) return
    this.#places ??= new Uint32Array(SLOTS)
    const slot = this.#slotOf(key, this.#places)
    if (this.#places[slot] !== 0 || this.#count >= MOST_FOLDERS) return
    const place = this.#write(`${key}${LINE_END}${segments}${LINE_END}`)
    if (place === undefined) return
    this.#places[slot] = place + 1
    this.#count++
  }

  /**
   * What was changed in a folder since a time, if it is known what is in it, and if nothing was added or taken away since
   * then and since it is known.
   */
  changesIn(folder: string, key: string, since: number): Contents | undefined {
    const place = this.#places?.[this.#slotOf(key, this.#places)]
    if (!place) return undefined
    const unchanged = Math.min(since, this.#began - TIME_TOLERANCE)
    if ((changeTime(folder) ?? unchanged) >= unchanged) return undefined
    const segments = this.#lineAt(place - 1 + Buffer.byteLength(key) + LINE_END.length)
    const children: Child[] = []
    for (const segment of segments.split(sep)) {
      const file = `${segment}${EXTENSION}`
      const changed = changeTime(`${folder}${sep}${file}`)
      if (changed !== undefined && changed >= since)
        children.push({ segment, file, folder: undefined, trail: [] })
    }
    return { children, foreign: [] }
  }

  /** The slot of a folder, or the one that it would get. */
  #slotOf(key: string, places: Uint32Array): number {
    let slot = hashOf(key) % SLOTS
    for (; ; slot = (slot + 1) % SLOTS) {
      const place = places[slot] as number
      if (place === 0 || this.#lineAt(place - 1) === key) return slot
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

  #lineAt(place: number): string {
    const chunk = this.#chunks[Math.floor(place / LIMIT)] as Buffer
    const start = place % LIMIT
    return chunk.toString("utf8", start, chunk.indexOf(LINE_END, start))
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
