import { readFile } from "node:fs/promises"
import { availableParallelism } from "node:os"
import { dirname, join } from "node:path"
import type { Storage } from "@sessile/core/storage"
import type { JsonStorage, LegacyStorage } from "@sessile/storage-json"
import { CombinedStorage } from "./combined-storage.js"
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
  openForReading: async (path) => openPlaces(await placesOf(path)),
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

// opencode's own migration left out projects: what is in the old layout alone comes along.
async function openPlaces({ storage, legacy }: JsonPlaces): Promise<Storage> {
  if (storage === undefined) return openLegacy(legacy as string, new Set())
  const current = await (await engine()).JsonStorage.open({ path: storage, readonly: true })
  if (legacy === undefined) return current
  try {
    return new CombinedStorage(current, await openLegacy(legacy, await sessionsOf(current)))
  } catch (error) {
    await current.close()
    throw error
  }
}

async function openLegacy(legacy: string, without: ReadonlySet<string>): Promise<LegacyStorage> {
  return (await engine()).LegacyStorage.open({ path: dirname(legacy), without })
}

async function sessionsOf(storage: JsonStorage): Promise<Set<string>> {
  const keys = await storage.list(["session"])
  return new Set(keys.flatMap(([, , session]) => session ?? []))
}

/** How far opencode has migrated a store, in its own words; `undefined` when it does not say. */
async function readMarker(storage: string): Promise<number | undefined> {
  try {
    const version = Number.parseInt(await readFile(join(storage, "migration"), "utf8"), 10)
    return Number.isNaN(version) ? undefined : version
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
}
