import type { Key } from "../../storage/key.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import { StorageError } from "../../storage/storage-error.js"

/** Counts the writes of single records, and refuses them while it is full. */
export class FragileStorage extends MemoryStorage {
  writes = 0
  isFull = false

  override write<T>(key: Key, value: T): Promise<void> {
    this.#count()
    return super.write(key, value)
  }

  override update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    this.#count()
    return super.update(key, edit)
  }

  #count(): void {
    if (this.isFull) throw new StorageError("FULL", "No space left")
    this.writes++
  }
}
