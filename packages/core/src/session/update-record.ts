import type { Key } from "../storage/key.js"
import type { Storage } from "../storage/storage.js"
import { StorageError } from "../storage/storage-error.js"
import type { SessionError } from "./session-error.js"

/**
 * Changes a record, atomically. When there is none this rejects with what `missing` gives; what `edit` throws comes through as it
 * is, also when the store takes it for a failure of its own, or it says that something else was not found.
 */
export async function updateRecord<T>(
  storage: Storage,
  key: Key,
  edit: (draft: T) => void,
  missing: () => SessionError,
): Promise<T> {
  const thrown: unknown[] = []
  const change = (draft: T) => {
    try {
      return edit(draft)
    } catch (error) {
      thrown.push(error)
      throw error
    }
  }
  try {
    return await storage.update<T>(key, change)
  } catch (error) {
    if (thrown.length > 0) throw thrown[0]
    throw StorageError.is(error, "NOT_FOUND") ? missing() : error
  }
}
