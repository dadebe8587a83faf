import { type IndexDefinition, StorageError } from "@sessile/core/storage"
import type { Database } from "./database.js"
import { MARKER } from "./layout.js"

/** The version of the layout that this package reads and writes. */
export const FORMAT = 1

/** What the database says of itself. */
export interface StoreMarker {
  readonly format: number
  /** The indexes whose entries are complete, as {@link describeIndexes} gives them; `null` while none are. */
  readonly indexes: string | null
}

/**
 * The marker of a store; `undefined` for a database that has none.
 *
 * @throws StorageError `UNSUPPORTED` for a newer format, `CORRUPT` for a marker that cannot be understood
 */
export async function readMarker(database: Database, path: string): Promise<StoreMarker | undefined> {
  const text = await database.get(MARKER)
  return text === undefined ? undefined : parseMarker(text, path)
}

/** @throws StorageError `UNSUPPORTED` for a newer format, `CORRUPT` for a marker that cannot be understood */
export function parseMarker(text: string, path: string): StoreMarker {
  const marker = parse(text)
  if (marker === undefined) {
    const message = "What the store says of itself cannot be understood; call LevelStorage.repair(path)"
    throw new StorageError("CORRUPT", message, { path })
  }
  if (marker.format > FORMAT) {
    const message = `The store has format ${marker.format}, and this version knows ${FORMAT}; update the package`
    throw new StorageError("UNSUPPORTED", message, { path })
  }
  return marker
}

/** Replaces the marker, and waits until it has reached the disk, with all that was written before it. */
export async function writeMarker(database: Database, indexes: string | null): Promise<void> {
  const marker: StoreMarker = { format: FORMAT, indexes }
  await database.put(MARKER, JSON.stringify(marker), { sync: true })
}

/** Index definitions as one string, which is equal for equal definitions. */
export function describeIndexes(indexes: readonly IndexDefinition[]): string {
  return JSON.stringify(indexes.map(({ name, prefix, keyLength, terms }) => [name, prefix, keyLength, terms]))
}

/** Refuses a database that another program made. */
export function foreign(path: string): StorageError {
  const message = "The database in this folder belongs to another program; choose another path"
  return new StorageError("INVALID_ARGUMENT", message, { path })
}

function parse(text: string): StoreMarker | undefined {
  try {
    const marker: Partial<StoreMarker> | null = JSON.parse(text)
    return Number.isInteger(marker?.format) ? (marker as StoreMarker) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
