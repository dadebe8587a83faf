import { StorageError } from "./storage-error.js"

/** The name of a record: one or more non-empty strings, such as `["message", sessionID, messageID]`. */
export type Key = readonly string[]

// Sorts below every character that a segment may contain, so that joined keys keep the order of their segments.
const SEPARATOR = "\0"

/**
 * Refuses what cannot name a record: anything but a non-empty array of non-empty strings, a segment with a NUL
 * character, or one with a lone surrogate (which has no UTF-8 form).
 *
 * @throws StorageError `INVALID_KEY`
 */
export function validateKey(key: Key): void {
  validatePrefix(key)
  if (key.length === 0) throw invalidKey(key, "A key needs at least one segment")
}

/** Like {@link validateKey}, but the empty array, which stands for all records, is allowed. */
export function validatePrefix(prefix: Key): void {
  if (!Array.isArray(prefix)) throw invalidKey(undefined, "A key must be an array of strings")
  for (const segment of prefix) {
    if (typeof segment !== "string") throw invalidKey(undefined, "Every key segment must be a string")
  }
  for (const segment of prefix) {
    if (segment === "") throw invalidKey(prefix, "A key segment must not be empty")
    if (segment.includes(SEPARATOR)) throw invalidKey(prefix, "A key segment must not contain NUL")
    if (!segment.isWellFormed()) throw invalidKey(prefix, "A key segment must not contain a lone surrogate")
  }
}

/**
 * The one order of keys: segment by segment, by UTF-8 bytes; a key comes before its descendants.
 *
 * @example
 * ```ts
 * keys.sort(compareKeys)
 * ```
 */
export function compareKeys(a: Key, b: Key): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const order = compareUtf8(a[index] as string, b[index] as string)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** Orders strings as their UTF-8 bytes are ordered, which is the order of code points. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length)
  for (let index = 0; index < shared; index++) {
    const left = a.charCodeAt(index)
    const right = b.charCodeAt(index)
    if (left !== right) return codePointRank(left) - codePointRank(right)
  }
  return a.length - b.length
}

/** Whether `key` lies strictly below `prefix`: `["a"]` has `["a", "b"]` below it, but neither itself nor `["ab"]`. */
export function isBelow(prefix: Key, key: Key): boolean {
  return key.length > prefix.length && prefix.every((segment, index) => segment === key[index])
}

/**
 * One string for a key, in which {@link compareUtf8} gives the order of {@link compareKeys}. Every string that
 * starts with `encodeKey(prefix) + "\0"` is a descendant of that prefix, and nothing else is.
 */
export function encodeKey(key: Key): string {
  return key.join(SEPARATOR)
}

/** The inverse of {@link encodeKey}. */
export function decodeKey(encoded: string): string[] {
  // Three times as fast as `split`, which nearly everything here would wait for.
  const segments: string[] = []
  let start = 0
  for (let end = encoded.indexOf(SEPARATOR); end !== -1; end = encoded.indexOf(SEPARATOR, start)) {
    segments.push(encoded.slice(start, end))
    start = end + 1
  }
  segments.push(encoded.slice(start))
  return segments
}

/**
 * Where a UTF-16 unit stands in the order of code points: UTF-16 puts surrogates (code points from U+10000) below
 * U+E000 to U+FFFF, UTF-8 puts them above.
 */
export function codePointRank(unit: number): number {
  if (unit < 0xd800) return unit
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800
}

function invalidKey(key: Key | undefined, reason: string): StorageError {
  return new StorageError("INVALID_KEY", reason, { key })
}
