import { join } from "node:path"
import { MemoryStorage, type Storage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"

/** A store of some adapter in a folder. */
export interface StoreKind {
  readonly name: string
  open(folder: string): Promise<Storage>
}

export const memory: StoreKind = { name: "MemoryStorage", open: async () => new MemoryStorage() }

/** The adapters whose stores are there after they were closed. */
export const durableStores: readonly StoreKind[] = [
  { name: "JsonStorage", open: (folder) => JsonStorage.open({ path: join(folder, "storage") }) },
  { name: "SqliteStorage", open: (folder) => SqliteStorage.open({ path: join(folder, "store.db") }) },
  { name: "LevelStorage", open: (folder) => LevelStorage.open({ path: join(folder, "store") }) },
]

/** Copies the records of a store that opencode wrote. */
export async function fill(storage: Storage, fixture: string): Promise<void> {
  await using source = await JsonStorage.open({ path: join(fixture, "storage"), readonly: true })
  for await (const { key, value } of source.scan([])) await storage.write(key, value)
}

/** All records, in order. */
export async function records(storage: Storage): Promise<[string, unknown][]> {
  const found: [string, unknown][] = []
  for await (const { key, value } of storage.scan([])) found.push([key.join("/"), value])
  return found
}

/** All that an iteration gives. */
export async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}
