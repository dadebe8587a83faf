import { type IndexDefinition, type IndexQuery, indexTerms, type Term } from "./index-definition.js"
import { codePointRank, decodeKey, encodeKey } from "./key.js"
import { StorageError } from "./storage-error.js"

/**
 * How an engine with ordered byte strings keeps an index: one entry per record, whose bytes are ordered as the
 * index is, and end with the encoded key. Entries of different indexes do not mix.
 */
export function indexEntry(index: IndexDefinition, terms: readonly Term[], encodedKey: string): Buffer {
  return Buffer.concat([entryPrefix(index), ...terms.map(encodeTerm), Buffer.from(encodedKey)])
}

/**
 * The entries that the indexes hold for a record with this text. A damaged one counts as a record without fields,
 * so that `find` comes upon it and can say so.
 */
export function indexEntries(
  indexes: readonly IndexDefinition[],
  encodedKey: string,
  text: string,
): Buffer[] {
  const key = decodeKey(encodedKey)
  const value = parse(text)
  return indexes.flatMap((index) => {
    const terms = indexTerms(index, key, value)
    return terms === undefined ? [] : [indexEntry(index, terms, encodedKey)]
  })
}

/** Whether an index may cover a key, so that its entries must be kept up to date. */
export function isIndexed(indexes: readonly IndexDefinition[], encodedKey: string): boolean {
  for (const start of startsOf(indexes)) if (encodedKey.startsWith(start)) return true
  return false
}

// Asked for at every change of a record, and the same for the whole life of a store.
const startsByIndexes = new WeakMap<readonly IndexDefinition[], readonly string[]>()

/** What the encoded keys start with that an index may cover. */
function startsOf(indexes: readonly IndexDefinition[]): readonly string[] {
  const known = startsByIndexes.get(indexes)
  if (known !== undefined) return known
  const starts = indexes.map(({ prefix }) => (prefix.length === 0 ? "" : `${encodeKey(prefix)}\0`))
  const distinct = [...new Set(starts)]
  startsByIndexes.set(indexes, distinct)
  return distinct
}

/** The range of entries that a query selects: from `gte` up to, not including, `lt`. */
export function entryRange(
  index: IndexDefinition,
  query: IndexQuery,
): { readonly gte: Buffer; readonly lt: Buffer } {
  const start = Buffer.concat([entryPrefix(index), ...(query.equals ?? []).map(encodeTerm)])
  const at = (term: Term) => Buffer.concat([start, encodeTerm(term)])
  const lower = query.gte !== undefined ? at(query.gte) : query.gt !== undefined ? after(at(query.gt)) : start
  const upper = query.lt !== undefined ? at(query.lt) : after(query.lte !== undefined ? at(query.lte) : start)
  return { gte: lower, lt: upper }
}

/**
 * The encoded key at the end of an entry.
 *
 * @throws StorageError `CORRUPT` for an entry that has none, which no index ever held
 */
export function keyOfEntry(index: IndexDefinition, entry: Buffer): string {
  let offset = entryPrefix(index).length
  for (let term = 0; term < index.terms.length; term++) offset = endOfTerm(entry, offset)
  if (offset < entry.length) return entry.toString("utf8", offset)
  throw new StorageError("CORRUPT", `The index "${index.name}" is damaged: it has an entry without a key`)
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const NULL = 0x01
const NUMBER = 0x02
const STRING = 0x03

function entryPrefix(index: IndexDefinition): Buffer {
  return encodeTerm(index.name)
}

function encodeTerm(term: Term): Buffer {
  if (term === null) return Buffer.of(NULL)
  return typeof term === "number" ? encodeNumber(term) : encodeString(term)
}

// Read as unsigned bytes, doubles are in order once positive ones have their sign bit set and negative ones all
// their bits flipped.
function encodeNumber(term: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes[0] = NUMBER
  bytes.writeDoubleBE(term === 0 ? 0 : term, 1)
  const flip = (bytes[1] as number) & 0x80 ? 0xff : 0x80
  bytes[1] = (bytes[1] as number) ^ flip
  if (flip === 0xff) for (let index = 2; index < 9; index++) bytes[index] = (bytes[index] as number) ^ 0xff
  return bytes
}

// Two bytes per UTF-16 unit, in the order of `compareUtf8`, hold for every string, lone surrogates included. Two
// zero bytes close a string, so that it comes before its extensions; a NUL within it is followed by 0xffff.
function encodeString(term: string): Buffer {
  const bytes: number[] = [STRING]
  for (let index = 0; index < term.length; index++) {
    const unit = codePointRank(term.charCodeAt(index))
    bytes.push(unit >> 8, unit & 0xff)
    if (unit === 0) bytes.push(0xff, 0xff)
  }
  return Buffer.from([...bytes, 0, 0])
}

function endOfTerm(entry: Buffer, offset: number): number {
  if (entry[offset] === NULL) return offset + 1
  if (entry[offset] === NUMBER) return offset + 9
  for (let index = offset + 1; index + 1 < entry.length; index += 2) {
    if (entry[index] !== 0 || entry[index + 1] !== 0) continue
    // What follows a string, a term or a key of any length, never begins with 0xff.
    if (entry[index + 2] !== 0xff) return index + 2
    index += 2
  }
  return entry.length
}

/** A byte string behind all entries that continue with a term or a key, neither of which begins with 0xff. */
function after(start: Buffer): Buffer {
  return Buffer.concat([start, Buffer.of(0xff)])
}
