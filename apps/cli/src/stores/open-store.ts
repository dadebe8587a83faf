import { type RecordSource, storageSource, ThreadedSource } from "@sessile/convert"
import { MemoryStorage, type Storage, StorageError } from "@sessile/core/storage"
import { loadAdapter } from "./adapter-module.js"
import { isVacant, lookAt } from "./findings.js"
import { ADAPTER, type StoreAddress } from "./store-address.js"
import { storeKind } from "./store-kinds.js"

/** Records to be read, until it is closed. */
export interface OpenSource extends RecordSource, AsyncDisposable {}

/** Opens a store for reading, in threads where that is faster. Nothing of it changes. */
export async function openSource(address: StoreAddress, adapter: string | undefined): Promise<OpenSource> {
  const { threads } = address.kind === ADAPTER ? { threads: 0 } : storeKind(address.kind)
  if (threads > 0) {
    const module = new URL("./source-opener.js", import.meta.url).href
    return ThreadedSource.open({ module, argument: address, threads })
  }
  const storage = await openForReading(address, adapter)
  return { ...storageSource(storage), [Symbol.asyncDispose]: () => storage.close() }
}

/** Opens a store for writing, and makes it if it is missing. */
export async function openTarget(address: StoreAddress, adapter: string | undefined): Promise<Storage> {
  if (address.kind !== ADAPTER) return storeKind(address.kind).openForWriting(address.path)
  return (await loadAdapter(adapter)).openStorage(address.path, { readonly: false })
}

/** What a target holds now, for looking only; nothing where there is none yet. */
export async function openTargetAsItIs(address: StoreAddress, adapter: string | undefined): Promise<Storage> {
  if (await isMissing(address)) return new MemoryStorage()
  try {
    return await openForReading(address, adapter)
  } catch (error) {
    if (address.kind === ADAPTER && StorageError.is(error, "NOT_FOUND")) return new MemoryStorage()
    throw error
  }
}

/** Whether opening a target would make it; an adapter alone knows that of its stores. */
export async function isMissing({ kind, path }: StoreAddress): Promise<boolean> {
  return kind !== ADAPTER && isVacant(await lookAt(path))
}

async function openForReading(address: StoreAddress, adapter: string | undefined): Promise<Storage> {
  if (address.kind !== ADAPTER) return storeKind(address.kind).openForReading(address.path)
  return (await loadAdapter(adapter)).openStorage(address.path, { readonly: true })
}
