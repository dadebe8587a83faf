import {
  encodeKey,
  type IndexDefinition,
  parseText,
  StorageError,
  type TermSource,
} from "@sessile/core/storage"
import type { Database, Statement } from "better-sqlite3"

/** The newest definition, as an SQL expression: definitions are added and never removed. */
export const NEWEST_DEFINITION = "(SELECT max(id) FROM index_definitions)"

/**
 * The indexes of a database: those of everybody who ever opened it. Each writer keeps the entries of all of them, those
 * included that another process has added since, so that nobody's `find` misses what others write.
 */
export class IndexCatalog {
  readonly #database: Database
  readonly #path: string
  readonly #newest: Statement
  #newestKnown: number | null = null
  #byContent = new Map<string, IndexDefinition>()
  #definitions: readonly IndexDefinition[] = []
  #starts: readonly string[] = []

  constructor(database: Database, path: string) {
    this.#database = database
    this.#path = path
    this.#newest = database.prepare(`SELECT ${NEWEST_DEFINITION}`).pluck()
    this.refresh()
  }

  /** All of them, each named by its number in the database: two openers may give one name to different indexes. */
  get definitions(): readonly IndexDefinition[] {
    return this.#definitions
  }

  /** The newest definition that is known here (see {@link NEWEST_DEFINITION}). */
  get newestKnown(): number | null {
    return this.#newestKnown
  }

  /** The index as the database knows it, if it does. */
  find(index: IndexDefinition): IndexDefinition | undefined {
    return this.#byContent.get(contentOf(index))
  }

  /** Whether a change of this record touches more than its own row. */
  covers(key: string): boolean {
    return this.#starts.some((start) => key.startsWith(start))
  }

  /** Takes in what others have added; `false` where that is nothing. */
  refresh(): boolean {
    const newest = this.#newest.get() as number | null
    if (newest === this.#newestKnown) return false
    const rows = this.#database.prepare("SELECT id, definition FROM index_definitions").raw().all()
    this.#byContent = new Map(rows.map((row) => this.#definitionOf(row as [unknown, unknown])))
    this.#definitions = [...this.#byContent.values()]
    this.#starts = [...new Set(this.#definitions.map(startOf))]
    this.#newestKnown = newest
    return true
  }

  /** Adds indexes that are not there yet, in the transaction that the caller has begun; returns those. */
  add(indexes: readonly IndexDefinition[]): IndexDefinition[] {
    this.refresh()
    const insert = this.#database.prepare("INSERT INTO index_definitions (definition) VALUES (?)")
    const added = indexes.filter((index) => {
      if (this.#byContent.has(contentOf(index))) return false
      insert.run(contentOf(index))
      this.refresh()
      return true
    })
    return added.flatMap((index) => this.find(index) ?? [])
  }

  #definitionOf([id, content]: [unknown, unknown]): [string, IndexDefinition] {
    const parsed = parseText(String(content))
    if (!("value" in parsed) || !isContent(parsed.value)) {
      const message = "The definition of an index is damaged; restore a backup"
      throw new StorageError("CORRUPT", message, { path: this.#path })
    }
    const [prefix, keyLength, terms] = parsed.value
    return [String(content), { name: String(id), prefix, keyLength, terms }]
  }
}

type Content = readonly [string[], number, TermSource[]]

function isContent(value: unknown): value is Content {
  if (!Array.isArray(value)) return false
  const [prefix, keyLength, terms] = value as unknown[]
  return isTexts(prefix) && Number.isInteger(keyLength) && Array.isArray(terms) && terms.every(isTerm)
}

function isTerm(term: unknown): boolean {
  if (typeof term !== "object" || term === null) return false
  return "key" in term ? Number.isInteger(term.key) : "value" in term && isTexts(term.value)
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((text) => typeof text === "string")
}

/** What an index is, whatever it is called. */
function contentOf({ prefix, keyLength, terms }: IndexDefinition): string {
  return JSON.stringify([prefix, keyLength, terms])
}

/** What the encoded keys start with that an index may cover. */
function startOf({ prefix }: IndexDefinition): string {
  return prefix.length === 0 ? "" : `${encodeKey(prefix)}\0`
}
