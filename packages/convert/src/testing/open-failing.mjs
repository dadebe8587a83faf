import { MemoryStorage, StorageError } from "@sessile/core/storage"

/** A store that fails as a whole when it is read. */
export async function openSource() {
  const storage = new MemoryStorage()
  storage.scanTexts = async function* () {
    yield [{ key: "a", text: "1" }]
    throw new StorageError("IO", "The medium is gone")
  }
  return storage
}
