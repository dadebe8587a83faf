import { type Entry, type IndexDefinition, type IndexQuery, standardIndexes } from "@sessile/core/storage"
import fc from "fast-check"

/** A session's record. Fields that are `undefined` are missing. */
export function session(project: string, id: string, fields: Record<string, unknown>): Entry<unknown> {
  return { key: ["session", project, id], value: withoutUndefined({ title: id, ...fields }) }
}

/** A session with the time of its last change, if it has one. */
export function updatedAt(project: string, id: string, updated?: unknown): Entry<unknown> {
  return session(project, id, { time: withoutUndefined({ created: 1, updated }) })
}

const projects = ["global", "p", "pp", "p!", "ÿ", "проект", "\uFFFF", "\u{1F600}"]

// Few, so that sessions share them and queries hit them; those with NUL break terms that are joined by it.
const terms = [
  -3,
  -0.5,
  0,
  1,
  1.5,
  2,
  10,
  1e300,
  "",
  "1",
  "10",
  "a",
  "a\0",
  "a\0b",
  "B",
  "ä",
  "\uFFFF",
  "\u{1F600}",
]

const oddities = [undefined, null, true, false, [1], { a: 1 }]

/** Sessions of several projects, with equal, odd and missing fields. */
export function randomSessions(seed: number, count: number): Entry<unknown>[] {
  const field = fc.constantFrom(...terms, ...terms, ...oddities)
  const time = fc.oneof(
    { weight: 8, arbitrary: fc.record({ created: field, updated: field }).map(withoutUndefined) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, null, 5, "2025", [1, 2]) },
  )
  const drawn = fc.record({
    project: fc.constantFrom(...projects),
    start: fc.constantFrom("ses_", "ÿ", "\uFFFF", "\u{1F600}"),
    fields: fc.record({ parentID: field, time }),
  })
  return fc
    .sample(drawn, { seed, numRuns: count })
    .map(({ project, start, fields }, index) => session(project, `${start}${index}`, fields))
}

/** A query, and the index that it is for. */
export interface Question {
  readonly index: string
  readonly query: IndexQuery
}

/** Queries of every kind that fits the standard indexes. */
export function randomQuestions(seed: number, count: number): Question[] {
  const question = fc.constantFrom(...standardIndexes).chain(questionFor)
  return fc.sample(question, { seed, numRuns: count })
}

function questionFor(index: IndexDefinition): fc.Arbitrary<Question> {
  const term = fc.constantFrom(...terms, null)
  const equals = fc.tuple(
    ...index.terms.map((source) => ("key" in source ? fc.constantFrom(...projects) : term)),
  )
  const lower = fc.constantFrom("gt", "gte", undefined)
  const upper = fc.constantFrom("lt", "lte", undefined)
  return fc
    .record({
      equals,
      depth: fc.integer({ min: 0, max: index.terms.length }),
      bounds: fc.tuple(lower, term, upper, term),
      limit: fc.option(fc.integer({ min: 0, max: 8 }), { nil: undefined }),
      reverse: fc.option(fc.boolean(), { nil: undefined }),
    })
    .map(({ depth, bounds: [low, least, high, most], limit, reverse, ...drawn }) => {
      const hasRoom = depth < index.terms.length
      const query: IndexQuery = {
        ...(depth > 0 && { equals: drawn.equals.slice(0, depth) }),
        ...(hasRoom && low && { [low]: least }),
        ...(hasRoom && high && { [high]: most }),
        limit,
        reverse,
      }
      return { index: index.name, query: withoutUndefined(query) }
    })
}

// Values come back without what is undefined, and a report reads better so.
function withoutUndefined<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}
