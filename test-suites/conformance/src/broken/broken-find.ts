import {
  compareKeys,
  compareUtf8,
  encodeKey,
  type IndexQuery,
  indexTerms,
  MemoryStorage,
  matchesQuery,
  type Storage,
  StorageError,
  type Term,
} from "@sessile/core/storage"
import { gather } from "../assertions.js"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { naiveIndex } from "./naive-index.js"

/** Faults in what indexes hold, how they are searched, and how they follow their records. */
export const brokenFind: readonly BrokenAdapter[] = [
  fault("an index gives its records in key order", ["find/order", "find/as-filtered-scan"], (sound) =>
    naiveIndex(sound, { compareTerms: () => 0 }),
  ),
  fault("records with equal terms are sorted by UTF-16", ["find/ties-by-key"], (sound) =>
    naiveIndex(sound, { compareKeys: (a, b) => (encodeKey(a) < encodeKey(b) ? -1 : 1) }),
  ),
  fault("equal terms may differ in type", ["find/equals", "find/as-filtered-scan"], (sound) =>
    naiveIndex(sound, {
      matchesQuery: ({ equals = [], ...query }, terms) =>
        equals.every((term, position) => String(term) === String(terms[position])) &&
        matchesQuery({ ...query, equals: terms.slice(0, equals.length) }, terms),
    }),
  ),
  fault("a term ends at its first NUL", ["find/equals", "find/numbers-and-strings"], (sound) =>
    naiveIndex(sound, {
      indexTerms: changedTerms((term) => (typeof term === "string" ? (term.split("\0")[0] ?? "") : term)),
    }),
  ),
  fault("bounds are for the first term, whatever must be equal", ["find/bounds"], (sound) =>
    naiveIndex(sound, {
      matchesQuery: ({ equals, ...bounds }, terms) =>
        matchesQuery({ equals }, terms) && matchesQuery(bounds, terms),
    }),
  ),
  fault("a bound that is zero, null or empty is none", ["find/bounds", "find/null-terms"], (sound) =>
    naiveIndex(sound, {
      matchesQuery: ({ equals, gt, gte, lt, lte }, terms) =>
        matchesQuery(
          { equals, gt: gt || undefined, gte: gte || undefined, lt: lt || undefined, lte: lte || undefined },
          terms,
        ),
    }),
  ),
  fault("records without the field are not in the index", ["find/null-terms"], (sound) =>
    naiveIndex(sound, {
      indexTerms: (definition, key, value) => {
        const terms = indexTerms(definition, key, value)
        return terms?.includes(null) ? undefined : terms
      },
    }),
  ),
  fault("true and false are one and zero", ["find/null-terms", "find/as-filtered-scan"], (sound) =>
    naiveIndex(sound, {
      indexTerms: (definition, key, value) => {
        const asNumber = (_: string, field: unknown) => (typeof field === "boolean" ? Number(field) : field)
        return indexTerms(definition, key, JSON.parse(JSON.stringify(value), asNumber))
      },
    }),
  ),
  fault("terms are compared as strings", ["find/numbers-and-strings", "find/as-filtered-scan"], (sound) =>
    naiveIndex(sound, { compareTerms: (a, b) => compareUtf8(String(a), String(b)) }),
  ),
  fault("numbers are kept as integers", ["find/numbers-and-strings", "find/bounds"], (sound) =>
    naiveIndex(sound, {
      indexTerms: changedTerms((term) => (typeof term === "number" ? Math.trunc(term) : term)),
    }),
  ),
  fault("reverse leaves records with equal terms in key order", ["find/reverse"], (sound) => ({
    find: (index, query = {}) => {
      const direction = query.reverse ? -1 : 1
      return naiveIndex(sound, { compareKeys: (a, b) => direction * compareKeys(a, b) }).find(index, query)
    },
  })),
  fault("limit is applied before the query", ["find/limit"], (sound) => ({
    async *find<T>(index: string, query: IndexQuery = {}) {
      const { limit, reverse } = query
      const first = await gather(sound.find(index, { limit, reverse }))
      const names = new Set(first.map(({ key }) => encodeKey(key)))
      for await (const entry of sound.find<T>(index, { ...query, limit: undefined })) {
        if (names.has(encodeKey(entry.key))) yield entry
      }
    },
  })),
  fault("everything below its prefix is in the index", ["find/own-records-only"], (sound) =>
    naiveIndex(sound, {
      indexTerms: (definition, key, value) =>
        indexTerms({ ...definition, keyLength: key.length }, key, value),
    }),
  ),
  fault("an undeclared index is empty", ["find/undeclared-index"], (sound) => naiveIndex(sound, {})),
  fault("a query that does not fit selects everything", ["find/unfitting-query"], (sound) => ({
    async *find<T>(index: string, query?: IndexQuery) {
      try {
        yield* sound.find<T>(index, query)
      } catch (error) {
        if (!StorageError.is(error, "INVALID_ARGUMENT")) throw error
        yield* sound.find<T>(index)
      }
    },
  })),
  fault("found values are those of a cache", ["find/fresh-values"], (sound) => {
    const cache = new Map<string, unknown>()
    return {
      async *find<T>(index: string, query?: IndexQuery) {
        for await (const { key, value } of sound.find<T>(index, query)) {
          if (!cache.has(encodeKey(key))) cache.set(encodeKey(key), value)
          yield { key, value: cache.get(encodeKey(key)) as T }
        }
      },
    }
  }),
  fault("an index misses that a record is written again", ["find/follows-writes"], staleIndex("write")),
  fault("an index misses updates", ["find/follows-updates"], staleIndex("update")),
  fault("an index misses removals", ["find/follows-removals"], staleIndex("remove")),
  fault("an index misses batches", ["find/follows-batches"], staleIndex("batch")),
]

function changedTerms(change: (term: Term) => Term): typeof indexTerms {
  return (definition, key, value) => indexTerms(definition, key, value)?.map(change)
}

/** Indexes that are kept in a store of their own, which does not hear of everything. */
function staleIndex(missed: "write" | "update" | "remove" | "batch"): (sound: Storage) => Partial<Storage> {
  return (sound) => {
    const index = new MemoryStorage()
    const isIndexed = async (key: readonly string[]) =>
      (await index.list([], { gte: key, lte: key })).length > 0
    return {
      write: async (key, value) => {
        await sound.write(key, value)
        if (missed !== "write" || !(await isIndexed(key))) await index.write(key, value)
      },
      update: async (key, edit) => {
        const value = await sound.update(key, edit)
        if (missed !== "update") await index.write(key, value)
        return value
      },
      remove: async (key) => {
        await sound.remove(key)
        if (missed !== "remove") await index.remove(key)
      },
      batch: async (operations, options) => {
        await sound.batch(operations, options)
        if (missed !== "batch") await index.batch(operations)
      },
      find: (name, query) => index.find(name, query),
    }
  }
}
