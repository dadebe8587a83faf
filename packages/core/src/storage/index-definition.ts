import { compareUtf8, type Key } from "./key.js"
import { checkOptions } from "./options.js"
import { StorageError } from "./storage-error.js"

/** The name of a declared index. */
export type IndexName = string

/** Where a term comes from: a segment of the key, by position, or a field of the value, by path. */
export type TermSource = { readonly key: number } | { readonly value: readonly string[] }

/** What an index orders by. A field that is absent, or neither string nor finite number, counts as `null`. */
export type Term = string | number | null

/**
 * An index, declared as data so that any engine can keep it: over all records whose key starts with `prefix`
 * and has `keyLength` segments, ordered by the terms, then by key.
 *
 * @example
 * ```ts
 * { name: "sessions-by-parent", prefix: ["session"], keyLength: 3,
 *   terms: [{ value: ["parentID"] }, { value: ["time", "created"] }] }
 * ```
 */
export interface IndexDefinition {
  readonly name: IndexName
  readonly prefix: Key
  readonly keyLength: number
  readonly terms: readonly TermSource[]
}

/** Selects from an index: leading terms that must be equal, and bounds for the term behind them. */
export interface IndexQuery {
  readonly equals?: readonly Term[] | undefined
  readonly gt?: Term | undefined
  readonly gte?: Term | undefined
  readonly lt?: Term | undefined
  readonly lte?: Term | undefined
  readonly limit?: number | undefined
  readonly reverse?: boolean | undefined
  /** Called for each record that cannot be decoded; without it the first one ends the iteration. */
  readonly onCorrupt?: ((error: StorageError) => void) | undefined
}

/** The indexes that every store declares unless told otherwise. */
export const standardIndexes: readonly IndexDefinition[] = [
  {
    name: "sessions-by-updated",
    prefix: ["session"],
    keyLength: 3,
    terms: [{ value: ["time", "updated"] }],
  },
  {
    name: "sessions-by-project",
    prefix: ["session"],
    keyLength: 3,
    terms: [{ key: 1 }, { value: ["time", "updated"] }],
  },
  {
    name: "sessions-by-parent",
    prefix: ["session"],
    keyLength: 3,
    terms: [{ value: ["parentID"] }, { value: ["time", "created"] }],
  },
]

/** The terms under which an index holds a record, or `undefined` when the index does not cover its key. */
export function indexTerms(definition: IndexDefinition, key: Key, value: unknown): Term[] | undefined {
  if (key.length !== definition.keyLength) return undefined
  if (!definition.prefix.every((segment, position) => segment === key[position])) return undefined
  return definition.terms.map((source) =>
    "key" in source ? (key[source.key] ?? null) : fieldAt(value, source.value),
  )
}

/** The order of terms: null, then numbers by value, then strings by UTF-8 bytes. */
export function compareTerms(a: Term, b: Term): number {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a === "string" && typeof b === "string") return compareUtf8(a, b)
  return rank(a) - rank(b)
}

/** Whether a query selects a record with these terms. */
export function matchesQuery(query: IndexQuery, terms: readonly Term[]): boolean {
  const equals = query.equals ?? []
  if (equals.some((term, position) => compareTerms(term, terms[position] as Term) !== 0)) return false
  const next = terms[equals.length]
  if (next === undefined) return true
  if (query.gt !== undefined && compareTerms(next, query.gt) <= 0) return false
  if (query.gte !== undefined && compareTerms(next, query.gte) < 0) return false
  if (query.lt !== undefined && compareTerms(next, query.lt) >= 0) return false
  return query.lte === undefined || compareTerms(next, query.lte) <= 0
}

/** @throws StorageError `INVALID_ARGUMENT` when the query does not fit the index. */
export function validateQuery(definition: IndexDefinition, query: IndexQuery): void {
  checkOptions("query", query, queryShape)
  const bounds = [query.gt, query.gte, query.lt, query.lte].filter((bound) => bound !== undefined)
  for (const term of [...(query.equals ?? []), ...bounds]) {
    if (term === null || typeof term === "string" || Number.isFinite(term)) continue
    throw unfitting(definition, "a term is a string, a number or null")
  }
  if (query.gt !== undefined && query.gte !== undefined)
    throw unfitting(definition, "it takes gt or gte, not both")
  if (query.lt !== undefined && query.lte !== undefined)
    throw unfitting(definition, "it takes lt or lte, not both")
  const terms = (query.equals?.length ?? 0) + (bounds.length > 0 ? 1 : 0)
  if (terms <= definition.terms.length) return
  throw unfitting(definition, `the query names ${terms} terms, the index has ${definition.terms.length}`)
}

function unfitting(definition: IndexDefinition, reason: string): StorageError {
  return new StorageError("INVALID_ARGUMENT", `Index "${definition.name}": ${reason}`)
}

const queryShape = {
  equals: "array?",
  gt: "any?",
  gte: "any?",
  lt: "any?",
  lte: "any?",
  limit: "count?",
  reverse: "boolean?",
  onCorrupt: "function?",
} as const

function fieldAt(value: unknown, path: readonly string[]): Term {
  let field = value
  for (const name of path) {
    if (typeof field !== "object" || field === null || !Object.hasOwn(field, name)) return null
    field = (field as Record<string, unknown>)[name]
  }
  return typeof field === "string" || Number.isFinite(field) ? (field as Term) : null
}

function rank(term: Term): number {
  if (term === null) return 0
  return typeof term === "number" ? 1 : 2
}
