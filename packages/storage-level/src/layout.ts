import {
  entryRange,
  type IndexDefinition,
  type IndexQuery,
  keyOfEntry,
  type Span,
} from "@sessile/core/storage"

// LevelDB orders keys by their bytes, and core's encoded keys in UTF-8 are in order so; a character in front keeps
// the three kinds of keys apart.

/** In front of the encoded key of a record, whose value is what `storedText` makes of its JSON text. */
export const RECORD = "r"

/** In front of the bytes of an index entry, whose value is its checksum. */
export const INDEX = "i"

/** Holds the version of this layout and the definitions of the indexes. */
export const MARKER = "!sessile"

/** A run of database keys, from `gte` up to, not including, `lt`. */
export interface KeyRange {
  readonly gte: string
  readonly lt: string
}

/** The database keys of the records within a span. */
export function recordRange(span: Span): KeyRange {
  return { gte: RECORD + span.gte, lt: span.lt === undefined ? following(RECORD) : RECORD + span.lt }
}

/** The database keys of the index entries that a query selects. */
export function indexRange(
  index: IndexDefinition,
  query: IndexQuery,
): { readonly gte: Buffer; readonly lt: Buffer } {
  const { gte, lt } = entryRange(index, query)
  return { gte: indexKey(gte), lt: indexKey(lt) }
}

/** The database keys of all index entries. */
export const allIndexEntries = { gte: INDEX, lt: following(INDEX) } as const

/** The database key of an index entry. */
export function indexKey(entry: Buffer): Buffer {
  return Buffer.concat([Buffer.from(INDEX), entry])
}

/** The encoded key of the record that an index entry, given by its database key, stands for. */
export function recordOfIndexKey(index: IndexDefinition, key: Buffer): string {
  return keyOfEntry(index, key.subarray(INDEX.length))
}

function following(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 1)
}
