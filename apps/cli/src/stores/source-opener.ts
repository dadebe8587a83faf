import type { Storage } from "@sessile/core/storage"
import type { StoreAddress } from "./store-address.js"
import type { StoreKind } from "./store-kind.js"

// Each thread loads the engine that it needs and no other, which would take time and memory.
const kinds: Readonly<Record<string, () => Promise<StoreKind>>> = {
  json: async () => (await import("./json-kind.js")).jsonKind,
  level: async () => (await import("./level-kind.js")).levelKind,
  opencode: async () => (await import("./opencode-kind.js")).opencodeKind,
  sqlite: async () => (await import("./sqlite-kind.js")).sqliteKind,
}

/** Opens a store in a thread that reads it (see `ThreadedSource`). */
export async function openSource({ kind, path }: StoreAddress): Promise<Storage> {
  const load = kinds[kind]
  if (load === undefined) throw new Error(`There is no kind of store ${kind}`)
  return (await load()).openForReading(path)
}
