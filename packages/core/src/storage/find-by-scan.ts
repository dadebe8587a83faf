import {
  compareTerms,
  type IndexDefinition,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  type Term,
} from "./index-definition.js"
import { compareUtf8, decodeKey } from "./key.js"
import { type TextEntry, tryDecode } from "./text-entry.js"

/**
 * What an index would give, found by reading every record below its prefix. Records that cannot be decoded
 * come first: nobody can tell whether the query selects them.
 */
export async function* findByScan(
  pages: AsyncIterable<readonly TextEntry[]>,
  index: IndexDefinition,
  query: IndexQuery,
  locate: (encodedKey: string) => string | undefined,
): AsyncGenerator<readonly TextEntry[], void, void> {
  const found: { readonly terms: readonly Term[]; readonly entry: TextEntry }[] = []
  for await (const page of pages) {
    for (const entry of page) {
      const key = decodeKey(entry.key)
      if (key.length !== index.keyLength) continue
      const decoded = tryDecode(entry, key, locate)
      if ("error" in decoded) {
        yield [{ key: entry.key, error: decoded.error }]
        continue
      }
      const terms = indexTerms(index, key, decoded.value)
      if (terms !== undefined && matchesQuery(query, terms)) found.push({ terms, entry })
    }
  }
  const direction = query.reverse ? -1 : 1
  found.sort((a, b) => direction * (compareTuples(a.terms, b.terms) || compareUtf8(a.entry.key, b.entry.key)))
  yield found.map(({ entry }) => entry)
}

function compareTuples(a: readonly Term[], b: readonly Term[]): number {
  for (const [position, term] of a.entries()) {
    const order = compareTerms(term, b[position] as Term)
    if (order !== 0) return order
  }
  return 0
}
