import {
  compareKeys,
  compareTerms,
  type IndexQuery,
  indexTerms,
  matchesQuery,
  type Storage,
  standardIndexes,
  type Term,
} from "@sessile/core/storage"
import { gather } from "../assertions.js"

/** The parts of an index, each of which can be broken. */
interface IndexParts {
  readonly indexTerms: typeof indexTerms
  readonly matchesQuery: typeof matchesQuery
  readonly compareTerms: typeof compareTerms
  readonly compareKeys: typeof compareKeys
}

const soundParts: IndexParts = { indexTerms, matchesQuery, compareTerms, compareKeys }

/** `find` by reading everything, with some of its parts replaced. */
export function naiveIndex(sound: Storage, replacements: Partial<IndexParts>): Pick<Storage, "find"> {
  const parts = { ...soundParts, ...replacements }
  return {
    async *find<T>(name: string, query: IndexQuery = {}) {
      const definition = standardIndexes.find((candidate) => candidate.name === name)
      if (definition === undefined) return
      const found = (await gather(sound.scan<T>(definition.prefix))).flatMap((entry) => {
        const terms = parts.indexTerms(definition, entry.key, entry.value)
        return terms !== undefined && parts.matchesQuery(query, terms) ? [{ entry, terms }] : []
      })
      const compareTuples = (a: readonly Term[], b: readonly Term[]) =>
        a.map((term, position) => parts.compareTerms(term, b[position] as Term)).find((order) => order !== 0)
      found.sort((a, b) => compareTuples(a.terms, b.terms) ?? parts.compareKeys(a.entry.key, b.entry.key))
      if (query.reverse) found.reverse()
      for (const { entry } of found.slice(0, query.limit)) yield entry
    },
  }
}
