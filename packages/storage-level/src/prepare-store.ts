import { type IndexDefinition, type Span, select } from "@sessile/core/storage"
import { CHUNK_BYTES, chunks } from "./chunks.js"
import type { Database } from "./database.js"
import { indexChanges } from "./index-changes.js"
import { allIndexEntries, RECORD, recordRange } from "./layout.js"
import { describeIndexes, foreign, readMarker, writeMarker } from "./store-marker.js"
import { unverifiedText } from "./stored-text.js"

/** How many records are indexed in one batch. */
const REBUILD_CHUNK = 500

/**
 * Makes an open database ready: refuses one that is not ours, and rebuilds the indexes unless they are complete
 * and defined as they are now.
 *
 * @throws StorageError `INVALID_ARGUMENT` for a database of another program, `UNSUPPORTED`, `CORRUPT`
 */
export async function prepareStore(
  database: Database,
  path: string,
  indexes: readonly IndexDefinition[],
): Promise<void> {
  const marker = await readMarker(database, path)
  if (marker === undefined && !(await isEmpty(database))) throw foreign(path)
  const wanted = describeIndexes(indexes)
  if (marker?.indexes === wanted) return
  // From the first change of an entry to the last, the marker says that the entries are not to be trusted.
  await writeMarker(database, null)
  await rebuild(database, indexes)
  await writeMarker(database, wanted)
}

async function isEmpty(database: Database): Promise<boolean> {
  return (await database.keys({ limit: 1, keyEncoding: "buffer" }).all()).length === 0
}

async function rebuild(database: Database, indexes: readonly IndexDefinition[]): Promise<void> {
  await database.clear(allIndexEntries)
  const prefixes = indexes.map(({ prefix }) => prefix)
  for (const span of select(prefixes, {}).spans) await indexSpan(database, indexes, span)
}

async function indexSpan(database: Database, indexes: readonly IndexDefinition[], span: Span): Promise<void> {
  const records = database.iterator({ ...recordRange(span), highWaterMarkBytes: CHUNK_BYTES })
  for await (const chunk of chunks(records, REBUILD_CHUNK)) {
    const steps = chunk.flatMap(([key, stored]) =>
      indexChanges(indexes, key.slice(RECORD.length), undefined, unverifiedText(stored)),
    )
    await database.batch<string | Buffer, string>(steps, {})
  }
}
