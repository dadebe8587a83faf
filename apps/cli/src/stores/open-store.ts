import { type RecordSource, storageSource, ThreadedSource } from "@sessile/convert"
import { MemoryStorage, type Storage, StorageError } from "@sessile/core/storage"
import { loadAdapter } from "./adapter-module.js"
import { takeEarlyThread } from "./early-thread.js"
import { isVacant, lookAt } from "./findings.js"
import { onlyRead } from "./resolve-address.js"
import { ADAPTER, type StoreAddress } from "./store-address.js"
import type { StorePart, Target } from "./store-kind.js"
import { storeKind } from "./store-kinds.js"

/** Records to be read, until it is closed. */
export interface OpenSource extends RecordSource, AsyncDisposable {}

/** Opens a store for reading, in threads where that is faster. Nothing of it changes. */
export async function openSource(address: StoreAddress, adapter: string | undefined): Promise<OpenSource> {
  const { threads } = address.kind === ADAPTER ? { threads: 0 } : storeKind(address.kind)
  if (threads > 0) {
    const module = new URL("./source-opener.js", import.meta.url).href
    return ThreadedSource.open({ module, argument: address, threads, started: takeEarlyThread() })
  }
  const storage = await openForReading(address, adapter)
  return { ...storageSource(storage), [Symbol.asyncDispose]: () => storage.close() }
}

/** The stores that a store is made of; none for most. */
export async function partsOf({ kind, path }: StoreAddress): Promise<readonly StorePart[]> {
  return kind === ADAPTER ? [] : ((await storeKind(kind).parts?.(path)) ?? [])
}

/** Opens a store for comparing: one that alters records tells which of them are the same all the same. */
export async function openForComparing(
  address: StoreAddress,
  adapter: string | undefined,
): Promise<OpenSource | Storage> {
  if (address.kind !== ADAPTER && !storeKind(address.kind).altersRecords) return openSource(address, adapter)
  return openForReading(address, adapter)
}

/** Begins to load what opening a store takes. A failure shows when it is opened. */
export function preload({ kind }: StoreAddress): void {
  if (kind !== ADAPTER)
    storeKind(kind)
      .load?.()
      .catch(() => undefined)
}

/** Opens a store for writing, and makes it if it is missing. */
export async function openTarget(
  address: StoreAddress,
  adapter: string | undefined,
  onWait?: (waited: number) => void,
): Promise<Target> {
  if (address.kind !== ADAPTER) {
    const { openForWriting } = storeKind(address.kind)
    if (openForWriting === undefined) throw onlyRead(address)
    return openForWriting(address.path, onWait)
  }
  return { storage: await (await loadAdapter(adapter)).openStorage(address.path, { readonly: false }) }
}

/** What a target is now, for looking only; where there is none yet, as it would be made. */
export async function previewTarget(address: StoreAddress, adapter: string | undefined): Promise<Target> {
  const preview = address.kind === ADAPTER ? undefined : storeKind(address.kind).preview
  if (preview !== undefined) return preview(address.path)
  if (await isMissing(address)) return { storage: new MemoryStorage() }
  try {
    return { storage: await openForReading(address, adapter) }
  } catch (error) {
    if (address.kind === ADAPTER && StorageError.is(error, "NOT_FOUND"))
      return { storage: new MemoryStorage() }
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
