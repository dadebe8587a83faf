import type { Storage } from "@sessile/core/storage"
import type { StoreAddress } from "./store-address.js"
import { storeKind } from "./store-kinds.js"

/** Opens a store in a thread that reads it (see `ThreadedSource`). */
export function openSource({ kind, path }: StoreAddress): Promise<Storage> {
  return storeKind(kind).openForReading(path)
}
