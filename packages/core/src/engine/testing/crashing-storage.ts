import type { Key } from "../../storage/key.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import type { Operation } from "../../storage/storage.js"

/** Remembers what it held after each change, as a process that ends there would leave it behind. */
export class CrashingStorage extends MemoryStorage {
  readonly leftovers: Map<string, unknown>[] = []

  override async write<T>(key: Key, value: T): Promise<void> {
    await super.write(key, value)
    await this.#remember()
  }

  override async update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    const updated = await super.update(key, edit)
    await this.#remember()
    return updated
  }

  override async batch(operations: readonly Operation[]): Promise<void> {
    await super.batch(operations)
    await this.#remember()
  }

  /** All that it holds. */
  async records(): Promise<Map<string, unknown>> {
    const records = new Map<string, unknown>()
    for await (const { key, value } of this.scan([])) records.set(JSON.stringify(key), value)
    return records
  }

  async #remember(): Promise<void> {
    this.leftovers.push(await this.records())
  }
}

/** A store that holds what was left behind. */
export async function storageOf(records: ReadonlyMap<string, unknown>): Promise<MemoryStorage> {
  const storage = new MemoryStorage()
  await storage.batch(
    [...records].map(([key, value]) => ({ type: "write", key: JSON.parse(key) as Key, value }) as const),
  )
  return storage
}
