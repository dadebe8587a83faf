import { compareKeys, type Key, type Storage } from "@sessile/core/storage"

/** Whether there is a record under `key`. */
export async function recordExists(storage: Storage, key: Key): Promise<boolean> {
  return (await storage.list([])).some((other) => compareKeys(other, key) === 0)
}
