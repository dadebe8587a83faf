import { readFile, stat } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import type { TextStorage } from "@sessile/core/storage"
import type { LegacyStorage } from "@sessile/storage-json"
import { CombinedStorage, sessionIds } from "./combined-storage.js"
import { findJsonPlaces, type JsonPlaces } from "./json-places.js"
import type { StoreKind } from "./store-kind.js"

/** opencode's JSON files: its data folder, the folder `storage` in it, or the data folder of a 0.x release. */
export const jsonKind: StoreKind = {
  description: "opencode's JSON files, or its data folder",
  medium: "folder",
  isUsuallySource: true,
  // A third core makes a second reader worth its memory.
  threads: availableParallelism() > 2 ? 2 : 1,
  recognises: async ({ path, names }) => names !== undefined && (await findJsonPlaces(path)) !== undefined,
  openForReading: async (path) => openJson(await placesOf(path)),
  openForWriting: async (path) => {
    const { storage = join(path, "storage") } = await placesOf(path)
    return { storage: await (await engine()).JsonStorage.open({ path: storage }) }
  },
  describe: async (path) => {
    const { storage, legacy } = await placesOf(path)
    const layouts = [
      ...(storage === undefined ? [] : ["JSON files of opencode 0.7 to 1.1"]),
      ...(legacy === undefined ? [] : ["JSON files of opencode up to 0.6"]),
    ]
    const version = storage === undefined ? undefined : await readMarker(storage)
    return { layout: layouts.join(" and "), version }
  },
}

// Whoever does not use it need not wait for it.
const engine = () => import("@sessile/storage-json")

async function placesOf(path: string): Promise<JsonPlaces> {
  return (await findJsonPlaces(path)) ?? { storage: path }
}

/**
 * Opens JSON files of both layouts. opencode's own migration left out projects: what is in the old layout alone is read too.
 *
 * @param known sessions that are read from elsewhere, and so not from the old layout
 */
export async function openJson(
  { storage, legacy }: JsonPlaces,
  known: ReadonlySet<string> = new Set(),
): Promise<TextStorage> {
  if (storage === undefined) return openLegacy(legacy as string, known)
  const current = await (await engine()).JsonStorage.open({ path: storage, readonly: true })
  if (legacy === undefined) return current
  try {
    return new CombinedStorage(
      current,
      await openLegacy(legacy, new Set([...known, ...(await sessionIds(current))])),
    )
  } catch (error) {
    await current.close()
    throw error
  }
}

async function openLegacy(legacy: string, without: ReadonlySet<string>): Promise<LegacyStorage> {
  return (await engine()).LegacyStorage.open({ path: dirname(legacy), without })
}

/** How far opencode has migrated a store, in its own words; `undefined` when it does not say. */
async function readMarker(storage: string): Promise<number | undefined> {
  try {
    const path = join(storage, "migration")
    // A FIFO or a device would never end.
    if (!(await stat(path)).isFile()) return undefined
    const version = Number.parseInt(await readFile(path, "utf8"), 10)
    return Number.isNaN(version) ? undefined : version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
