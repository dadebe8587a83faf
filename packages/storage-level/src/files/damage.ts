import { StorageError } from "@sessile/core/storage"

/** A file of LevelDB that is not as LevelDB wrote it. The message completes "The store is damaged: ". */
export class Damage extends Error {
  override readonly name = "Damage"
}

/** The error for a store that must not be opened. */
export function damagedStore(path: string, cause: Damage): StorageError {
  const message = `The store is damaged: ${cause.message}; make a copy, then call LevelStorage.repair(path)`
  return new StorageError("CORRUPT", message, { path, cause })
}
