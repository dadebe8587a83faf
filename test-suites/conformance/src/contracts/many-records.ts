import type { Entry, Key, Operation, Storage } from "@sessile/core/storage"
import { recordsAt, spacedKeys } from "./records.js"
import { updatedAt } from "./sample-sessions.js"

// Stores read by pages of up to 1,000 records, and ask for up to 100 prefixes at once.
const PREFIXES = 120
const IN_FIRST_PREFIX = 1_010
const IN_OTHER_PREFIXES = 2

/** Prefixes that are more than a store asks for at once. */
export const manyPrefixes: readonly Key[] = Array.from({ length: PREFIXES }, (_, index) => [
  "page",
  String(index).padStart(3, "0"),
])

/** The keys of records below these prefixes, in order: several pages, of which the first prefix has more than one. */
export const manyKeys: readonly Key[] = manyPrefixes.flatMap((prefix, index) =>
  spacedKeys(prefix, index === 0 ? IN_FIRST_PREFIX : IN_OTHER_PREFIXES),
)

/** Records under these keys. */
export const manyRecords: readonly Entry<unknown>[] = recordsAt(manyKeys)

/** Sessions that are several pages, of more than 100 projects, in key order; runs of equal times cross every page. */
export const manySessions: readonly Entry<unknown>[] = Array.from({ length: 1_221 }, (_, index) => {
  const project = `project-${String(Math.floor(index / 11)).padStart(3, "0")}`
  return updatedAt(project, `ses_${String(index).padStart(4, "0")}`, (index * 7) % 6)
})

/** Writes records in batches, out of order, so that the order of writing never passes for that of the keys. */
export async function fillMany(storage: Storage, records: readonly Entry<unknown>[]): Promise<void> {
  const odd = records.filter((_, index) => index % 2 === 1)
  const even = records.filter((_, index) => index % 2 === 0)
  const operations = [...odd.reverse(), ...even].map(
    ({ key, value }): Operation => ({ type: "write", key, value }),
  )
  for (let start = 0; start < operations.length; start += 500) {
    await storage.batch(operations.slice(start, start + 500))
  }
}
