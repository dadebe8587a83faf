import { closeSync, openSync, readSync, writeSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { StorageError } from "@sessile/core/storage"
import { fileError } from "./file-error.js"
import {
  entriesOf,
  groupAt,
  groupLine,
  isRemarkable,
  LINE_END,
  lineOf,
  nextGroup,
  type WrittenLines,
} from "./ledger-lines.js"

/** What became of a record. */
export type Outcome = "written" | "present" | "setAside"

/** One record's account. */
export interface LedgerEntry {
  /** Encoded. */
  readonly key: string
  readonly outcome: Outcome
  /** Of the record's exchange text as it was read; none for what could not be read. */
  readonly sha256?: string | undefined
  /** Of what the target gives back, without what others change in it at any time, where that is not the same. */
  readonly fittedSha256?: string | undefined
  /** Why it was set aside. */
  readonly reason?: string | undefined
  /** Where the bytes of a record that was set aside, or replaced in the target, are kept. */
  readonly kept?: string | undefined
  /** How a key that the target held with other content was dealt with. */
  readonly conflict?: "skipped" | "replaced" | undefined
  /** Fields for which the target has no place. */
  readonly lost?: readonly string[] | undefined
  /** Fields that the target keeps beside those of the record, for others who read it there. */
  readonly filled?: readonly string[] | undefined
  readonly remarks?: readonly string[] | undefined
}

/** How many records came to what. It balances: `found = written + present + setAside`. */
export interface LedgerTotals {
  readonly found: number
  readonly written: number
  readonly present: number
  readonly setAside: number
}

/** Some entries that follow each other. */
export class LedgerGroup {
  /** What is known of all of them, where they were written as lines. */
  readonly written: WrittenLines | undefined
  readonly #accounts: () => Buffer

  constructor(accounts: () => Buffer, written?: WrittenLines) {
    this.#accounts = accounts
    this.written = written
  }

  entries(which: "all" | "remarkable" = "all"): LedgerEntry[] {
    return entriesOf(this.#accounts(), which)
  }
}

/** So much is written at once. */
const WRITTEN_BYTES = 256 * 1024

/** So much is read at once: what is done with soon never gets among V8's old objects, which stay for long. */
const READ_BYTES = 64 * 1024

/**
 * The account of every record of a conversion. It lies in a file of its own, so that it takes no memory however
 * many records there are, and is gone with `close`.
 */
export class Ledger implements AsyncDisposable {
  readonly #folder: string
  readonly #file: number
  readonly #totals = { found: 0, written: 0, present: 0, setAside: 0 }
  #pending: string[] = []
  #pendingLength = 0
  #size = 0
  #remarkable = 0

  private constructor(folder: string) {
    this.#folder = folder
    this.#file = openSync(join(folder, "ledger"), "wx+", 0o600)
  }

  static async create(): Promise<Ledger> {
    const folder = await mkdtemp(join(tmpdir(), "sessile-ledger-")).catch((error: unknown) => {
      throw temporaryFileError(error)
    })
    const ledger = new Ledger(folder)
    // An open file needs no name, and without one it is gone however this ends. Windows keeps it until it is closed.
    if (process.platform !== "win32") await rm(folder, { recursive: true })
    return ledger
  }

  get totals(): LedgerTotals {
    return { ...this.#totals }
  }

  /** Counts a record that is going to have an entry. */
  find(count: number): void {
    this.#totals.found += count
  }

  add(entry: LedgerEntry): void {
    this.#totals[entry.outcome]++
    const line = lineOf(entry)
    if (isRemarkable(line)) this.#remarkable++
    this.#push(line)
  }

  /**
   * Adds records that have been written as lines, and of which there is no more to say: their accounts (see `plainLine`),
   * one behind the other. Their keys are ASCII.
   */
  addLines(accounts: string, written: WrittenLines): void {
    this.#totals.written += written.count
    this.#push(groupLine(written, accounts.length))
    this.#push(accounts)
  }

  /** All entries so far, in pages, in the order in which they were added. */
  *entries(): Generator<LedgerEntry[], void, void> {
    this.#write()
    for (let position = 0; position < this.#size; ) {
      const lines = this.#linesFrom(position)
      yield entriesOf(lines)
      position += lines.length
    }
  }

  /**
   * The same in the groups in which they were added; what was added by itself comes in groups of any size. The entries of
   * records that were written as lines are read when they are asked for.
   */
  *groups(): Generator<LedgerGroup, void, void> {
    this.#write()
    for (let position = 0; position < this.#size; ) {
      const lines = this.#linesFrom(position)
      let start = 0
      while (start < lines.length) {
        const lineEnd = lines.indexOf(LINE_END, start)
        const written = groupAt(lines, start, lineEnd)
        if (written === undefined) {
          const own = lines.subarray(start, nextGroup(lines, start))
          yield new LedgerGroup(() => own)
          start += own.length
        } else {
          const place = position + lineEnd + 1
          yield new LedgerGroup(() => this.#read(place, written.length), written)
          start = lineEnd + 1 + written.length
        }
      }
      position += start
    }
  }

  /** Those of them that tell more than that a record was written or there. */
  *remarkable(): Generator<LedgerEntry[], void, void> {
    let left = this.#remarkable
    if (left === 0) return
    for (const group of this.groups()) {
      if (group.written !== undefined) continue
      const found = group.entries("remarkable")
      yield found
      left -= found.length
      if (left === 0) return
    }
  }

  async close(): Promise<void> {
    closeSync(this.#file)
    await rm(this.#folder, { recursive: true, force: true })
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  /** Whole lines from a position on, at least one. */
  #linesFrom(position: number): Buffer {
    for (let bytes = READ_BYTES; ; bytes *= 2) {
      const read = this.#read(position, Math.min(bytes, this.#size - position))
      const end = read.lastIndexOf(LINE_END) + 1
      if (end > 0) return read.subarray(0, end)
    }
  }

  #read(position: number, length: number): Buffer {
    const bytes = Buffer.allocUnsafeSlow(length)
    for (let offset = 0; offset < length; ) {
      const count = readSync(this.#file, bytes, offset, length - offset, position + offset)
      if (count === 0)
        throw new Error("The temporary file of the report is shorter than what was written to it")
      offset += count
    }
    return bytes
  }

  #push(line: string): void {
    this.#pending.push(line)
    this.#pendingLength += line.length
    if (this.#pendingLength >= WRITTEN_BYTES) this.#write()
  }

  #write(): void {
    if (this.#pending.length === 0) return
    const bytes = Buffer.from(this.#pending.join(""))
    try {
      for (let offset = 0; offset < bytes.length; ) {
        offset += writeSync(this.#file, bytes, offset, bytes.length - offset, this.#size + offset)
      }
    } catch (error) {
      throw temporaryFileError(error)
    }
    this.#size += bytes.length
    this.#pending = []
    this.#pendingLength = 0
  }
}

function temporaryFileError(error: unknown): StorageError {
  return fileError("write to the folder for temporary files, which TMPDIR names", tmpdir(), error)
}
