import type { Key } from "./key.js"
import { StorageError } from "./storage-error.js"
import { decodeValue } from "./value.js"

/** A record's encoded key and its JSON text. */
export interface TextRecord {
  readonly key: string
  readonly text: string
  /** The text in UTF-8, where that is at hand: whoever can store it saves a conversion. */
  readonly utf8?: Uint8Array | undefined
}

/** A record as an adapter keeps it: its encoded key with its JSON text, or with the reason why that is not to be had. */
export type TextEntry = TextRecord | UnreadableEntry

/** A record that is there, but cannot be had. */
export interface UnreadableEntry {
  readonly key: string
  readonly error: StorageError
  /** What is there all the same, as far as it is text. */
  readonly raw?: string | undefined
  /** The file that holds nothing but this record, where there is one. */
  readonly file?: string | undefined
}

/** One step of a batch, as an adapter gets it. */
export type TextOperation =
  | { readonly type: "write"; readonly key: string; readonly text: string }
  | { readonly type: "remove"; readonly key: string }

/** The value of an entry, or the error that says why there is none; `locate` gives its place for the message. */
export function tryDecode<T>(
  entry: TextEntry,
  key: Key,
  locate: (encodedKey: string) => string | undefined,
): { readonly value: T } | { readonly error: StorageError } {
  if ("error" in entry) return { error: entry.error }
  try {
    return { value: decodeValue<T>(entry.text, key, locate(entry.key)) }
  } catch (error) {
    if (StorageError.is(error, "CORRUPT")) return { error }
    throw error
  }
}
