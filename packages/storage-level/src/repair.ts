import { StorageError } from "@sessile/core/storage"
import { Level } from "level"
import { CHUNK_BYTES, chunks } from "./chunks.js"
import { type Database, filesOf, holdsRecords, openDatabase } from "./database.js"
import { INDEX, MARKER, RECORD } from "./layout.js"
import { levelFault } from "./level-fault.js"
import { foreign, readMarker, writeMarker } from "./store-marker.js"

/** What a repair came to. */
export interface RepairReport {
  /** How many records the store has now. */
  readonly records: number
}

/** How many keys are looked at in one go. */
const COUNT_CHUNK = 1000

/** See `LevelStorage.repair`. */
export async function repair(path: string): Promise<RepairReport> {
  const files = await filesOf(path)
  if (!files?.some((name) => holdsRecords(name) || name.startsWith("MANIFEST-"))) {
    throw new StorageError("NOT_FOUND", "There is no store here", { path })
  }
  try {
    await refuseHeld(path)
    await engine.repair(path)
  } catch (error) {
    throw levelFault("repair the store", error, path)
  }
  const database = await openDatabase(path)
  try {
    return { records: await adopt(database, path) }
  } catch (error) {
    throw levelFault("repair the store", error, path)
  } finally {
    await database.close()
  }
}

// The types of `level` leave out what browsers cannot do.
const engine = Level as unknown as { repair(path: string): Promise<void> }

// LevelDB repairs without a look at the lock. To open a database that must not exist fails behind the lock, and
// before anything is read or changed.
async function refuseHeld(path: string): Promise<void> {
  const probe = new Level(path, { createIfMissing: false, errorIfExists: true })
  try {
    await probe.open()
  } catch (error) {
    const fault = levelFault("repair the store", error, path)
    if (fault.code !== "IO") throw fault
  }
}

/** Sees to it that the store can be opened, with its indexes built anew, and counts its records. */
async function adopt(database: Database, path: string): Promise<number> {
  const marker = await readMarkerIfIntact(database, path)
  let records = 0
  const keys = database.keys({ highWaterMarkBytes: CHUNK_BYTES })
  for await (const chunk of chunks(keys, COUNT_CHUNK)) {
    // The marker may be among what was lost, but a database with other keys was never ours.
    if (marker === undefined && !chunk.every(isOurs)) throw foreign(path)
    records += chunk.filter((key) => key.startsWith(RECORD)).length
  }
  await writeMarker(database, null)
  return records
}

async function readMarkerIfIntact(database: Database, path: string) {
  try {
    return await readMarker(database, path)
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return undefined
    throw error
  }
}

function isOurs(key: string): boolean {
  return key.startsWith(RECORD) || key.startsWith(INDEX) || key === MARKER
}
