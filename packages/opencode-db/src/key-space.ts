import { compareUtf8, decodeKey, type Range, type Span } from "@sessile/core/storage"
import { databaseKinds, type RecordKind } from "./record-kind.js"

/** A stretch of the key space: the records of one kind in the database, or whatever lies between two of these. */
export interface Section {
  readonly isInDatabase: boolean
  readonly span: Span
}

/** All keys, in order: what is not in the database is kept in files. */
export const sections: readonly Section[] = divide()

/** What two spans have in common; `undefined` for nothing. */
export function intersection(a: Span, b: Span): Span | undefined {
  const gte = compareUtf8(a.gte, b.gte) >= 0 ? a.gte : b.gte
  const ends = [a.lt, b.lt].filter((end) => end !== undefined).sort(compareUtf8)
  const lt = ends[0]
  return lt === undefined || compareUtf8(gte, lt) < 0 ? { gte, lt } : undefined
}

/** A span in terms of whole keys. */
export function rangeOf({ gte, lt }: Span): Range {
  // Nothing lies between an encoded key and that key with a NUL behind it.
  const isBehind = (bound: string) => bound.endsWith("\0")
  const keyOf = (bound: string) => decodeKey(isBehind(bound) ? bound.slice(0, -1) : bound)
  return {
    ...(gte === "" ? {} : { [isBehind(gte) ? "gt" : "gte"]: keyOf(gte) }),
    ...(lt === undefined ? {} : { [isBehind(lt) ? "lte" : "lt"]: keyOf(lt) }),
  }
}

/**
 * A bound of encoded keys as one of the values of a table's key columns: the first segment cut off, the second one
 * taken apart from the rest where there are two columns.
 */
export function columnBound(kind: Pick<RecordKind, "name" | "keyColumns">, bound: string): string[] {
  const rest = bound.startsWith(`${kind.name}\0`) ? bound.slice(kind.name.length + 1) : ""
  if (kind.keyColumns.length === 1) return [rest]
  const end = rest.indexOf("\0")
  return end === -1 ? [rest, ""] : [rest.slice(0, end), rest.slice(end + 1)]
}

function divide(): Section[] {
  const found: Section[] = []
  let start = ""
  for (const name of [...databaseKinds].sort(compareUtf8)) {
    const end = `${name}\x01`
    found.push({ isInDatabase: false, span: { gte: start, lt: name } })
    found.push({ isInDatabase: true, span: { gte: name, lt: end } })
    start = end
  }
  return [...found, { isInDatabase: false, span: { gte: start, lt: undefined } }]
}
