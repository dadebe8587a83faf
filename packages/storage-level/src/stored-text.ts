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

// A tenth of the time of `toString(16)`, which is made for fractions too, and would double the cost of a checksum.
function digitsOf(value: number): string {
  return String.fromCharCode(
    digitAt(value, 28),
    digitAt(value, 24),
    digitAt(value, 20),
    digitAt(value, 16),
    digitAt(value, 12),
    digitAt(value, 8),
    digitAt(value, 4),
    digitAt(value, 0),
  )
}

/** The character code of a hexadecimal digit, given by the place of its lowest bit. */
function digitAt(value: number, bit: number): number {
  const digit = (value >>> bit) & 15
  return digit < 10 ? 48 + digit : 87 + digit
}
