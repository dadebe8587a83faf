import type { Entry, Key, Storage } from "@sessile/core/storage"
import { gather } from "../assertions.js"

/** A record for each key, which tells its key. */
export function recordsAt(keys: readonly Key[]): Entry<unknown>[] {
  return keys.map((key) => ({ key, value: { at: key } }))
}

/** Writes records, out of order, so that the order of writing never passes for that of the keys. */
export async function fill(storage: Storage, records: readonly Entry<unknown>[]): Promise<void> {
  const odd = records.filter((_, index) => index % 2 === 1)
  const even = records.filter((_, index) => index % 2 === 0)
  for (const { key, value } of [...odd.reverse(), ...even]) await storage.write(key, value)
}

/** Everything that an iteration gives, without what an adapter may have added to its entries. */
export async function entriesOf(iteration: AsyncIterable<Entry<unknown>>): Promise<Entry<unknown>[]> {
  return (await gather(iteration)).map(({ key, value }) => ({ key, value }))
}

/** Keys below one prefix whose numbers, a step of ten apart, leave room between them. */
export function spacedKeys(prefix: Key, count: number): Key[] {
  return Array.from({ length: count }, (_, index) => spacedKey(prefix, index * 10 + 10))
}

/** The key with this number among, or between, those of `spacedKeys`. */
export function spacedKey(prefix: Key, number: number): Key {
  return [...prefix, String(number).padStart(6, "0")]
}
