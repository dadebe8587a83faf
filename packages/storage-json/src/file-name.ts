import { type Key, StorageError } from "@sessile/core/storage"

export const EXTENSION = ".json"

/** Every common file system takes names of up to 255 bytes. */
const MAX_LENGTH = 255 - EXTENSION.length

// Reserved on Windows, with any extension; the last one is the name of opencode's marker file.
const RESERVED = /^(con|prn|aux|nul|com\d|lpt\d|migration)(?=$|\.)/i

/**
 * The file name of a key segment. opencode's own ids stay as they are; everything else becomes plain ASCII that
 * is safe on every file system: `%` and two hex digits stand for each UTF-8 byte that is not a letter, a digit,
 * `_`, `-` or `.`, for the first letter of names reserved on Windows or by opencode, for a dot at either end, and
 * for that of a closing `.json`, which marks records.
 *
 * @throws StorageError `INVALID_KEY` when the name would be too long for a file; `key` is for its message
 */
export function encodeSegment(segment: string, key?: Key): string {
  const name = isPlain(segment) ? segment : escapeSegment(segment)
  if (name.length <= MAX_LENGTH) return name
  throw new StorageError(
    "INVALID_KEY",
    `A key segment needs ${name.length} bytes as a file name; ${MAX_LENGTH} are the limit`,
    { key },
  )
}

/** The inverse of {@link encodeSegment}; `undefined` for a name that it never gives, which is a foreign file's. */
export function decodeSegment(name: string): string | undefined {
  if (name.length > MAX_LENGTH) return undefined
  if (isPlain(name)) return name
  // No key contains NUL.
  if (!name.includes("%") || name.includes("%00")) return undefined
  const segment = unescapeName(name)
  return segment !== undefined && escapeSegment(segment) === name ? segment : undefined
}

// The identifiers of opencode, which are nearly all that there is, need no closer look.
const IDENTIFIER = /^[a-z]+_[0-9A-Za-z]+$/

function isPlain(segment: string): boolean {
  if (IDENTIFIER.test(segment)) return true
  return /^[\w-](?:[\w.-]*[\w-])?$/.test(segment) && !RESERVED.test(segment) && !/\.json$/i.test(segment)
}

function escapeSegment(segment: string): string {
  return segment
    .replace(/[^\w.-]/gu, (character) => Array.from(Buffer.from(character), escapeByte).join(""))
    .replace(RESERVED, (name) => escapeByte(name.charCodeAt(0)) + name.slice(1))
    .replace(/^\.|\.$|\.(?=json$)/gi, "%2E")
}

function escapeByte(byte: number): string {
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`
}

function unescapeName(name: string): string | undefined {
  try {
    return decodeURIComponent(name)
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}
