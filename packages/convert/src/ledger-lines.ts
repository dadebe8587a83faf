import type { LedgerEntry } from "./ledger.js"

// Nearly all entries tell nothing but a key, a hash and one of two outcomes, and there may be millions of them.
const LETTERS = { written: "W", present: "P" } as const
const HASH_END = 1 + 64

export const LINE_END = "\n"

/** What the line of any other entry begins with. */
const REMARKABLE = "{"

/** What a line begins with that tells of a group. */
const GROUP = "G"
const START_OF_GROUP = `${LINE_END}${GROUP}`

/** The line of an entry. */
export function lineOf(entry: LedgerEntry): string {
  const { key, outcome, sha256, ...rest } = entry
  if (
    outcome === "setAside" ||
    sha256 === undefined ||
    key.includes(LINE_END) ||
    Object.keys(rest).length > 0
  ) {
    return `${JSON.stringify(entry)}${LINE_END}`
  }
  return plainLine(outcome, key, sha256)
}

/** The line of a record of which there is no more to say; its key has no line end in it. */
export function plainLine(outcome: keyof typeof LETTERS, key: string, sha256: string): string {
  return `${LETTERS[outcome]}${sha256}${key}${LINE_END}`
}

/** What is known of records that were written as lines. */
export interface WrittenLines {
  readonly count: number
  /** Of all the lines (see `digestLines`). */
  readonly sha256: string
  /** By which the target finds them again. */
  readonly receipt: string
}

/** The line in front of the lines of such records, which take so many characters. */
export function groupLine(written: WrittenLines, length: number): string {
  return `${GROUP}${JSON.stringify({ ...written, length })}${LINE_END}`
}

/** What such a line tells, if it is one. */
export function groupAt(
  lines: Buffer,
  start: number,
  end: number,
): (WrittenLines & { readonly length: number }) | undefined {
  if (lines[start] !== GROUP.charCodeAt(0)) return undefined
  return JSON.parse(lines.toString("utf8", start + 1, end))
}

/** Where the next group begins behind a line, or where the lines end. */
export function nextGroup(lines: Buffer, start: number): number {
  const end = lines.indexOf(START_OF_GROUP, start)
  return end === -1 ? lines.length : end + LINE_END.length
}

/** The hashes in lines that tell of nothing but written records. */
export function hashesIn(accounts: string): string[] {
  const lines = accounts.slice(0, -LINE_END.length).split(LINE_END)
  return lines.map((line) => line.slice(1, HASH_END))
}

export function isRemarkable(line: string): boolean {
  return line.startsWith(REMARKABLE)
}

/** The entries of some lines, or only the remarkable ones. */
export function entriesOf(lines: Buffer, which: "all" | "remarkable" = "all"): LedgerEntry[] {
  const entries: LedgerEntry[] = []
  for (let start = 0; start < lines.length; ) {
    const end = lines.indexOf(LINE_END, start)
    const isWanted = which === "all" ? lines[start] !== GROUP.charCodeAt(0) : isRemarkableAt(lines, start)
    if (isWanted) entries.push(entryAt(lines, start, end))
    start = end + 1
  }
  return entries
}

// Each string is made by itself: pieces of a longer one would keep all of it in memory.
function entryAt(lines: Buffer, start: number, end: number): LedgerEntry {
  if (isRemarkableAt(lines, start)) return JSON.parse(lines.toString("utf8", start, end))
  const outcome = lines[start] === LETTERS.written.charCodeAt(0) ? "written" : "present"
  const hashEnd = start + HASH_END
  const sha256 = lines.toString("latin1", start + 1, hashEnd)
  return { key: lines.toString("utf8", hashEnd, end), outcome, sha256 }
}

function isRemarkableAt(lines: Buffer, start: number): boolean {
  return lines[start] === REMARKABLE.charCodeAt(0)
}
