import { crc32 } from "node:zlib"
import { checksum } from "@sessile/core/storage"

/** How many hexadecimal digits a checksum has, in front of the text of a record and as the value of an index entry. */
const DIGITS = 8

/** What is stored for a record: the checksum over its key and its text, and the text. */
export function storedText(key: string, text: string): string {
  return digitsOf(checksum(key, text)) + text
}

/** The text of a record; `undefined` where its checksum is wrong. */
export function verifiedText(key: string, stored: string): string | undefined {
  const text = unverifiedText(stored)
  return Number.parseInt(stored.slice(0, DIGITS), 16) === checksum(key, text) ? text : undefined
}

/** The text of a record, damaged or not. */
export function unverifiedText(stored: string): string {
  return stored.slice(DIGITS)
}

/** What is stored for an index entry: its own checksum. */
export function storedEntry(entry: Buffer): string {
  return digitsOf(crc32(entry))
}

/** Whether a value is what is stored for an index entry. */
export function isStoredEntry(entry: Buffer, value: string): boolean {
  return value.length === DIGITS && Number.parseInt(value, 16) === crc32(entry)
}

function digitsOf(value: number): string {
  return value.toString(16).padStart(DIGITS, "0")
}
