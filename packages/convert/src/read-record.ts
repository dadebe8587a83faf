import { hash } from "node:crypto"
import { decodeKey, parseText, type TextEntry, type TextRecord } from "@sessile/core/storage"
import { examine, type RecordFacts } from "./examine.js"

/** A record that was read whole and is JSON. Its key is encoded, its text an exchange text. */
export interface SoundRecord extends TextRecord {
  /** The length of the text in UTF-8. */
  readonly bytes: number
  /** Of the text in UTF-8: what `sha256sum` gives for its file in opencode's layout. */
  readonly sha256: string
  readonly facts?: RecordFacts | undefined
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

export function isSound(record: ReadRecord): record is SoundRecord {
  return "sha256" in record
}

/** Takes the measure of a record as it was read. */
export function readRecord(entry: TextEntry): ReadRecord {
  if ("error" in entry) return { key: entry.key, reason: entry.error.message, file: entry.file }
  const { key, text } = entry
  const parsed = parseText(text)
  if ("flaw" in parsed) return { key, text, reason: `The record is ${parsed.flaw}` }
  const bytes = Buffer.byteLength(text)
  return { key, text, bytes, sha256: digest(text), facts: examine(decodeKey(key), parsed.value) }
}

export function digest(text: string): string {
  return hash("sha256", text)
}
