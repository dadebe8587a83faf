import type { Entry, Key, Storage } from "@sessile/core/storage"
import { expectRejection } from "../assertions.js"
import { entriesOf } from "./records.js"

/** Every record of a store. */
export function contentsOf(storage: Storage): Promise<Entry<unknown>[]> {
  return entriesOf(storage.scan([]))
}

/** Fails unless reading `key` rejects with `NOT_FOUND`. */
export async function expectAbsent(storage: Storage, key: Key, problem: string): Promise<void> {
  await expectRejection(() => storage.read(key), "NOT_FOUND", problem, key)
}
