import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** How many records of each kind there are. */
export interface RecordCounts {
  project: number
  session: number
  message: number
  part: number
  session_diff: number
  todo: number
}

/** Writes the files of a store, and counts them. */
export class RecordFiles {
  readonly counts: RecordCounts = { project: 0, session: 0, message: 0, part: 0, session_diff: 0, todo: 0 }
  readonly #path: string
  readonly #folders = new Set<string>()
  #bytes = 0

  constructor(path: string) {
    this.#path = path
  }

  /** What the records take, without what the file system adds. */
  get bytes(): number {
    return this.#bytes
  }

  /** Writes a record as opencode does: indented, without a newline at the end. */
  write(key: readonly [keyof RecordCounts, ...string[]], value: unknown): void {
    this.counts[key[0]]++
    this.#write(`${join(...key)}.json`, JSON.stringify(value, null, 2))
  }

  /** Marks the layout as that of opencode 1.1. */
  writeMarker(): void {
    this.#write("migration", "2")
  }

  #write(name: string, text: string): void {
    const file = join(this.#path, name)
    const folder = dirname(file)
    if (!this.#folders.has(folder)) {
      mkdirSync(folder, { recursive: true })
      this.#folders.add(folder)
    }
    const bytes = Buffer.from(text)
    writeFileSync(file, bytes)
    this.#bytes += bytes.length
  }
}
