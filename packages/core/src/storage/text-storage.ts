import type { Key } from "./key.js"
import type { SessionLines } from "./session-lines.js"
import type { Shelf } from "./shelf.js"
import type { Storage } from "./storage.js"
import type { TextEntry, TextRecord } from "./text-entry.js"

/** One of several disjoint shares that together are everything, so that several threads can divide the work. */
export interface Share {
  readonly index: number
  readonly count: number
}

/** What `scanTexts` gives. */
export interface TextScanOptions {
  /** Only the records below these prefixes; all by default. */
  readonly prefixes?: readonly Key[] | undefined
  /** Only one share of them. Records with the same first two segments are in the same share. */
  readonly share?: Share | undefined
  /**
   * Only what was changed at this time or later, in milliseconds, as far as the medium tells that without reading
   * everything; a store that cannot tell gives all.
   */
  readonly changedSince?: number | undefined
  /** Tells of prefixes, encoded, below which nothing is wanted. A store may give what is there all the same. */
  readonly skips?: ((prefix: string) => boolean) | undefined
  /** Told of what the scan comes upon that is no record, at least once each. */
  readonly onForeign?: ((file: ForeignFile) => void) | undefined
  /**
   * Where a store may put the records' UTF-8. What it puts there is part of the next page that it gives: whoever brings
   * the shelf may do anything with its memory once they are done with that page.
   */
  readonly shelf?: Shelf | undefined
}

/** Records that lie right below the same prefix, in key order. */
export interface ShelvedFolder {
  /** The last segments of their keys. */
  readonly ids: readonly string[]
  /** In UTF-8, on a shelf. */
  readonly contents: readonly Buffer[]
}

/** The options of a scan of texts, for `checkOptions`. */
export const textScanShape = {
  prefixes: "array?",
  share: "object?",
  changedSince: "number?",
  skips: "function?",
  onForeign: "function?",
  shelf: "object?",
} as const

/** A file among the records of a store that is none. */
export interface ForeignFile {
  readonly path: string
  /** Why it is no record. */
  readonly reason: string
}

/** A record as a store would give it back, or why it cannot take it. */
export type FittedRecord =
  | {
      readonly text: string
      /** The paths of the fields that have no place there, such as `summary.note`. */
      readonly lost: readonly string[]
      /** The fields that it gets there for the sake of whom the store belongs to. They are left out when it is read. */
      readonly filled?: readonly string[] | undefined
    }
  | { readonly refused: string }

/** What tells whether records are the same without handing them over. */
export interface LinesDigest {
  /** Of all the lines, one behind the other, with a line end behind each. */
  readonly sha256: string
  readonly bytes: number
}

/** What was in the way of records that were to be added together; nothing in the way of those that were. */
export interface SessionOutcome {
  readonly records: readonly (TextEntry | undefined)[]
  /** By the position of the line. */
  readonly lines: ReadonlyMap<number, TextEntry>
  /** One line by which the store finds those lines again that were added just as they are (see `digestLines`). */
  readonly receipt: string
}

/**
 * A store that also gives and takes its records as exchange texts: exactly what their files in opencode's layout
 * hold, odd formatting included, so that moving a record alters nothing. Whatever extends `AbstractStorage` does.
 * Keys are encoded (see `encodeKey`).
 */
export interface TextStorage extends Storage {
  /** All records in pages, in key order, of one moment where the store can show that. */
  scanTexts(options?: TextScanOptions): AsyncIterable<readonly TextEntry[]>

  /** The keys of all records in pages, in key order. */
  scanKeys(options?: TextScanOptions): AsyncIterable<readonly string[]>

  /**
   * The records right below a prefix, put on a shelf, for a store that reads so many small files that anything else done
   * for each of them would count. `undefined` where there may be more than plain small records; then `scanTexts` tells.
   */
  readFolder?(prefix: Key, shelf: Shelf): ShelvedFolder | undefined

  /** What is under each of the keys; `undefined` for nothing. */
  readTexts(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]>

  /**
   * Adds the records whose keys are free, and gives what was in the way of each of the others. No record of
   * anybody is ever replaced, whoever writes at the same time. The texts must be JSON (see `parseText`), the
   * keys valid and distinct.
   */
  addTexts(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]>

  /** Stores the records, in place of what was there. The texts must be JSON, the keys valid and distinct. */
  writeTexts(records: readonly TextRecord[]): Promise<void>

  /**
   * What the store would give back for a record, and which of its fields it cannot hold, for a store that cannot
   * keep every text as it is; such a store takes records only as it would give them back. `undefined` for a record
   * that it keeps as it is.
   */
  fit?(record: TextRecord): FittedRecord | undefined

  /**
   * The text of a record that the store gave, without what others change in it at any time, for a store that has
   * such records; empty for a record that may as well be missing, `undefined` for one that nobody else changes.
   */
  settle?(record: TextRecord): string | undefined

  /**
   * What `addTexts` would give, without adding anything, for a store that may refuse to add a record for the sake of
   * others. What would be added by earlier calls counts as there.
   */
  rehearseTexts?(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]>

  /**
   * The digest of the lines that `addSession` gave a receipt for, in their order, for a store that can tell it faster than
   * it gives the texts. If one of them is missing or has been changed, it is the digest of something else.
   */
  digestLines?(receipt: string): Promise<LinesDigest>

  /**
   * The kinds of records that `addTexts` wants as whole sessions: owners before what they own, one session at a time. All
   * other kinds may come in any order.
   */
  readonly sessionKinds?: readonly string[]

  /**
   * The positions of those lines that the store would not give back as they are (see `fit`), for a store that can add
   * lines faster than texts. It refuses none of them.
   */
  fitLines?(lines: SessionLines): ReadonlySet<number>

  /** `addTexts` for records of a session of which most are lines, some of them unfit as `fitLines` has told. */
  addSession?(
    records: readonly TextRecord[],
    lines: SessionLines,
    unfit: ReadonlySet<number>,
  ): Promise<SessionOutcome>

  /**
   * Looks for damage, and returns what is wrong with the store as a whole: one sentence per finding, without stored
   * content. Empty where nothing was found, and for a store that has nothing to check beyond its records.
   */
  check(): Promise<readonly string[]>

  /** Resolves when all that the store holds would survive the death of the machine, as far as it is durable. */
  flush(): Promise<void>
}

export function isTextStorage(storage: Storage): storage is TextStorage {
  const { scanTexts, scanKeys, readTexts, addTexts, writeTexts, check, flush } =
    storage as Partial<TextStorage>
  const methods = [scanTexts, scanKeys, readTexts, addTexts, writeTexts, check, flush]
  return methods.every((method) => typeof method === "function")
}

/** Whether a record, given by its encoded key, belongs to a share. */
export function isInShare({ index, count }: Share, encodedKey: string): boolean {
  return count === 1 || hash(firstTwoSegments(encodedKey)) % count === index
}

function firstTwoSegments(encodedKey: string): string {
  const second = encodedKey.indexOf("\0") + 1
  const end = second === 0 ? -1 : encodedKey.indexOf("\0", second)
  return end === -1 ? encodedKey : encodedKey.slice(0, end)
}

// FNV-1a: identifiers share long beginnings, and differ in their last characters most.
function hash(text: string): number {
  let state = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    state = Math.imul(state ^ text.charCodeAt(index), 0x01000193)
  }
  return (state ^ (state >>> 15)) >>> 0
}
