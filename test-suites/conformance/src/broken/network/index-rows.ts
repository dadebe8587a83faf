import {
  compareTerms,
  compareUtf8,
  decodeKey,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  standardIndexes,
  type Term,
  type TextRecord,
} from "@sessile/core/storage"

/** The rows that an index selects from a table, in its order. */
export function indexRows(rows: readonly TextRecord[], name: string, query: IndexQuery): TextRecord[] {
  const definition = standardIndexes.find((candidate) => candidate.name === name)
  if (definition === undefined) throw new Error(`There is no standard index ${name}`)
  const beginning = `${definition.prefix.join("\0")}\0`
  const selected = rows.flatMap((row) => {
    if (!row.key.startsWith(beginning)) return []
    const terms = indexTerms(definition, decodeKey(row.key), JSON.parse(row.text))
    return terms !== undefined && matchesQuery(query, terms) ? [{ row, terms }] : []
  })
  selected.sort((a, b) => compareTuples(a.terms, b.terms) || compareUtf8(a.row.key, b.row.key))
  if (query.reverse) selected.reverse()
  return selected.slice(0, query.limit).map(({ row }) => row)
}

function compareTuples(a: readonly Term[], b: readonly Term[]): number {
  const orders = a.map((term, position) => compareTerms(term, b[position] as Term))
  return orders.find((order) => order !== 0) ?? 0
}
