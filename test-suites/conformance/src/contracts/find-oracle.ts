import {
  compareKeys,
  compareTerms,
  type Entry,
  type IndexDefinition,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  type Storage,
  standardIndexes,
  type Term,
} from "@sessile/core/storage"
import { expectSame } from "../assertions.js"
import { show } from "../show.js"
import { entriesOf } from "./records.js"
import { expectSameList } from "./same-list.js"

/** Fails unless `find` gives what filtering and sorting these records gives. */
export async function expectFound(
  storage: Storage,
  records: readonly Entry<unknown>[],
  index: string,
  query: IndexQuery = {},
): Promise<void> {
  const expected = findAmong(records, definitionOf(index), query)
  const found = await entriesOf(storage.find(index, query))
  const call = `find("${index}", ${show(query)})`
  const keys = (entries: readonly Entry<unknown>[]) => entries.map(({ key }) => key)
  expectSameList(keys(found), keys(expected), `${call} gave other records, or another order, than it should`)
  for (const [position, { key, value }] of expected.entries()) {
    expectSame(found[position]?.value, value, `${call} gave another value than is stored`, key)
  }
}

function definitionOf(index: string): IndexDefinition {
  const definition = standardIndexes.find(({ name }) => name === index)
  if (definition === undefined) throw new Error(`There is no standard index ${index}`)
  return definition
}

function findAmong(
  records: readonly Entry<unknown>[],
  definition: IndexDefinition,
  query: IndexQuery,
): Entry<unknown>[] {
  const selected = records
    .flatMap((entry) => {
      const terms = indexTerms(definition, entry.key, entry.value)
      return terms !== undefined && matchesQuery(query, terms) ? [{ entry, terms }] : []
    })
    .sort((a, b) => compareTuples(a.terms, b.terms) || compareKeys(a.entry.key, b.entry.key))
  if (query.reverse) selected.reverse()
  return selected.slice(0, query.limit).map(({ entry }) => entry)
}

function compareTuples(a: readonly Term[], b: readonly Term[]): number {
  const orders = a.map((term, position) => compareTerms(term, b[position] as Term))
  return orders.find((order) => order !== 0) ?? 0
}
