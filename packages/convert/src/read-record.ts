import { isAscii } from "node:buffer"
import { hash } from "node:crypto"
import { decodeKey, parseText, type TextEntry, Utf8Record } from "@sessile/core/storage"
import { examine, type RecordFacts } from "./examine.js"
import { isPlainPart } from "./plain-part.js"

/** A record that was read whole and is JSON. Its key is encoded, its text an exchange text. */
export class SoundRecord extends Utf8Record {
  /** Of the text in UTF-8: what `sha256sum` gives for its file in opencode's layout. */
  readonly sha256: string
  /** What it tells beyond its key. */
  readonly facts: RecordFacts | undefined

  constructor(key: string, utf8: Buffer, sha256: string, facts: RecordFacts | undefined) {
    super(key, utf8)
    this.sha256 = sha256
    this.facts = facts
  }

  /** The length of the text in UTF-8. */
  get bytes(): number {
    return this.utf8.length
  }
}

/** A record that is there, but cannot be moved. */
export interface FaultyRecord {
  readonly key: string
  readonly reason: string
  /** What is there, as far as it is text. */
  readonly text?: string | undefined
  /** The file that holds nothing but this record. */
  readonly file?: string | undefined
}

export type ReadRecord = SoundRecord | FaultyRecord

export function isSound(record: ReadRecord | Utf8Record): record is SoundRecord {
  return "sha256" in record
}

/** Takes the measure of a record as a store gave it. */
export function readRecord(entry: TextEntry): ReadRecord {
  return measure(takeRecord(entry))
}

/** A record as a store gave it, in UTF-8 if it was to be had. */
export function takeRecord(entry: TextEntry): Utf8Record | FaultyRecord {
  if ("error" in entry)
    return { key: entry.key, reason: entry.error.message, text: entry.raw, file: entry.file }
  return entry instanceof Utf8Record ? entry : new Utf8Record(entry.key, Buffer.from(entry.text))
}

/** Finds out whether a record is sound and what it tells. */
export function measure(record: Utf8Record | FaultyRecord): ReadRecord {
  if (!hasUtf8(record) || !isPlainPart(decodeKey(record.key), record.utf8)) return lookInto(record)
  return new SoundRecord(record.key, record.utf8, digest(record.utf8), undefined)
}

/** The same by parsing it, which shows what is odd about a part even where it is laid out as it should be. */
export function lookInto(record: Utf8Record | FaultyRecord): ReadRecord {
  if (!hasUtf8(record)) return record
  const { key, utf8 } = record
  const parsed = parseUtf8(key, utf8) ?? parseText(record.text)
  if ("flaw" in parsed) return { key, text: record.text, reason: `The record is ${parsed.flaw}` }
  return new SoundRecord(key, utf8, digest(utf8), examine(decodeKey(key), parsed.value))
}

export function hasUtf8(record: Utf8Record | FaultyRecord): record is Utf8Record {
  return "utf8" in record
}

export function digest(content: string | Uint8Array): string {
  return hash("sha256", content)
}

/**
 * The value of a JSON text, with every character that is not ASCII garbled; `undefined` where that would matter, or
 * where it is no JSON. Such characters stand in strings only, so that a text is JSON if and only if its bytes are, taken
 * for characters; and decoding costs more than all the rest.
 */
function parseUtf8(key: string, utf8: Buffer): { readonly value: unknown } | undefined {
  if (!isAscii(utf8) && !isAsciiText(key)) return undefined
  const parsed = parseText(utf8.toString("latin1"))
  return "flaw" in parsed ? undefined : parsed
}

function isAsciiText(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
