import { type IndexDefinition, indexEntries, select } from "@sessile/core/storage"
import { CHUNK_BYTES, chunks } from "./chunks.js"
import type { Database, Snapshot } from "./database.js"
import { allIndexEntries, indexKey, RECORD, recordRange } from "./layout.js"
import { isStoredEntry, unverifiedText } from "./stored-text.js"

/** How many entries are read at once. */
const CHUNK = 1000

/** Compares the index entries with the records, and returns what is wrong, in words. */
export async function checkIndexes(
  database: Database,
  indexes: readonly IndexDefinition[],
): Promise<string[]> {
  const snapshot = database.snapshot()
  try {
    const expected = await expectedEntries(database, indexes, snapshot)
    let wrong = 0
    const range = { gte: Buffer.from(allIndexEntries.gte), lt: Buffer.from(allIndexEntries.lt), snapshot }
    const entries = database.iterator<Buffer, string>({ ...range, keyEncoding: "buffer" })
    for await (const chunk of chunks(entries, CHUNK)) {
      for (const [key, value] of chunk) {
        const isRight = expected.delete(key.toString("latin1")) && isStoredEntry(key, value)
        if (!isRight) wrong++
      }
    }
    return [
      ...(wrong > 0 ? [`The indexes hold wrong entries (${wrong}); call LevelStorage.repair(path)`] : []),
      ...(expected.size > 0
        ? [`Entries are missing from the indexes (${expected.size}); call LevelStorage.repair(path)`]
        : []),
    ]
  } finally {
    await snapshot.close()
  }
}

/** The database keys of all index entries that the records call for, with their bytes as characters. */
async function expectedEntries(
  database: Database,
  indexes: readonly IndexDefinition[],
  snapshot: Snapshot,
): Promise<Set<string>> {
  const expected = new Set<string>()
  const prefixes = indexes.map(({ prefix }) => prefix)
  for (const span of select(prefixes, {}).spans) {
    const records = database.iterator({ ...recordRange(span), snapshot, highWaterMarkBytes: CHUNK_BYTES })
    for await (const chunk of chunks(records, CHUNK)) {
      for (const [key, stored] of chunk) {
        for (const entry of indexEntries(indexes, key.slice(RECORD.length), unverifiedText(stored))) {
          expected.add(indexKey(entry).toString("latin1"))
        }
      }
    }
  }
  return expected
}
