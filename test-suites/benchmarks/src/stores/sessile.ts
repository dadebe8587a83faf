import { join } from "node:path"
import type { Storage } from "@sessile/core/storage"
import { JsonStorage } from "@sessile/storage-json"
import { LevelStorage } from "@sessile/storage-level"
import { SqliteStorage } from "@sessile/storage-sqlite"
import type { SampleRecord, SampleSession } from "../sample-records.js"
import type { Store, StoreKind } from "./store.js"

/** One of our adapters. */
export interface AdapterKind {
  readonly name: string
  /** Among how many sessions at most it is asked for some. */
  readonly mostSessions: number
  open(folder: string): Promise<Storage>
}

const json: AdapterKind = {
  name: "JsonStorage",
  mostSessions: 10_000,
  open: (folder) => JsonStorage.open({ path: folder }),
}

export const sqlite: AdapterKind = {
  name: "SqliteStorage",
  mostSessions: 100_000,
  open: (folder) => SqliteStorage.open({ path: join(folder, "store.db") }),
}

const level: AdapterKind = {
  name: "LevelStorage",
  mostSessions: 100_000,
  open: (folder) => LevelStorage.open({ path: folder }),
}

export const adapters: readonly AdapterKind[] = [json, sqlite, level]

export const jsonStorage = storeKindOf(json)
export const sqliteStorage = storeKindOf(sqlite)
export const levelStorage = storeKindOf(level)

function storeKindOf(adapter: AdapterKind): StoreKind {
  return { ...adapter, open: async (folder) => through(await adapter.open(folder)) }
}

/** An adapter doing the work of every row by the storage contract. */
export function through(storage: Storage): Store {
  const writeAll = (records: readonly SampleRecord[]) =>
    storage.batch(records.map(({ key, value }) => ({ type: "write", key, value })))
  return {
    async write(records) {
      for (const { key, value } of records) await storage.write(key, value)
    },
    async read(keys) {
      for (const key of keys) await storage.read(key)
    },
    batch: writeAll,
    scanMessages: () => countOf(storage.scan(["message"])),
    async loadSession(sessionID) {
      const parts: string[][] = []
      for await (const { key } of storage.scan(["message", sessionID])) parts.push(["part", String(key[2])])
      return parts.length + (await countOf(storage.scanMany(parts)))
    },
    async listAndReadSession(sessionID) {
      let count = 0
      for (const key of await storage.list(["message", sessionID])) {
        await storage.read(key)
        count++
        for (const part of await storage.list(["part", String(key[2])])) {
          await storage.read(part)
          count++
        }
      }
      return count
    },
    addSessions: writeAll,
    newest: (limit) => valuesOf(storage.find<SampleSession>("sessions-by-updated", { reverse: true, limit })),
    children: (parentID) =>
      valuesOf(storage.find<SampleSession>("sessions-by-parent", { equals: [parentID] })),
    close: () => storage.close(),
  }
}

async function countOf(entries: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of entries) count++
  return count
}

async function valuesOf<T>(entries: AsyncIterable<{ readonly value: T }>): Promise<T[]> {
  const values: T[] = []
  for await (const { value } of entries) values.push(value)
  return values
}
