import { type IndexDefinition, indexEntries } from "@sessile/core/storage"
import { indexKey } from "./layout.js"
import { storedEntry } from "./stored-text.js"

/** One step of a LevelDB batch. */
export type Step =
  | { readonly type: "put"; readonly key: string; readonly value: string }
  | { readonly type: "del"; readonly key: string }
  | { readonly type: "put"; readonly key: Buffer; readonly value: string; readonly keyEncoding: "buffer" }
  | { readonly type: "del"; readonly key: Buffer; readonly keyEncoding: "buffer" }

/** What becomes of the index entries of a record when its text changes; `undefined` stands for no record. */
export function indexChanges(
  indexes: readonly IndexDefinition[],
  encodedKey: string,
  before: string | undefined,
  after: string | undefined,
): Step[] {
  const stale = entriesOf(indexes, encodedKey, before)
  const current = entriesOf(indexes, encodedKey, after)
  return [...without(stale, current).map(removal), ...without(current, stale).map(addition)]
}

function entriesOf(
  indexes: readonly IndexDefinition[],
  encodedKey: string,
  text: string | undefined,
): Buffer[] {
  return text === undefined ? [] : indexEntries(indexes, encodedKey, text)
}

function without(entries: readonly Buffer[], others: readonly Buffer[]): Buffer[] {
  return entries.filter((entry) => !others.some((other) => other.equals(entry)))
}

function addition(entry: Buffer): Step {
  const key = indexKey(entry)
  return { type: "put", key, value: storedEntry(key), keyEncoding: "buffer" }
}

function removal(entry: Buffer): Step {
  return { type: "del", key: indexKey(entry), keyEncoding: "buffer" }
}
