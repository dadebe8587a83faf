import type { IndexName, IndexQuery } from "./index-definition.js"
import type { Key } from "./key.js"
import type { Range } from "./span.js"
import type { StorageError } from "./storage-error.js"

/** What a store guarantees. What is declared holds; asking for what is not declared rejects with `UNSUPPORTED`. */
export interface Capabilities {
  /** A resolved change is there after `close` and reopening, and after the process was killed. */
  readonly durable: boolean
  /**
   * A batch happens as a whole or not at all, whatever fails, the process itself included, and nothing else
   * happens between its operations.
   */
  readonly atomicBatch: boolean
  /** Several processes may hold the store open; no update of any of them is lost. */
  readonly multiProcess: boolean
  /** A scan that asks for it shows the store as it was at its first step, whatever is written meanwhile. */
  readonly snapshots: boolean
  /** A record that was altered outside of the store is noticed: reading it rejects with `CORRUPT`. */
  readonly checksums: boolean
}

/** A record. */
export interface Entry<T> {
  readonly key: Key
  readonly value: T
}

/** One step of a batch. */
export type Operation =
  | { readonly type: "write"; readonly key: Key; readonly value: unknown }
  | { readonly type: "remove"; readonly key: Key }

/** What a batch must guarantee beyond the order of its operations. */
export interface BatchOptions {
  /** Reject with `UNSUPPORTED`, before anything changes, unless the store declares `atomicBatch`. */
  readonly atomic?: boolean | undefined
}

/** How to iterate over records. */
export interface ScanOptions extends Range {
  /** Reject with `UNSUPPORTED` unless the store declares `snapshots`. */
  readonly snapshot?: boolean | undefined
  /** Called for each record that cannot be read; without it the first one ends the iteration with its error. */
  readonly onCorrupt?: ((error: StorageError) => void) | undefined
}

/**
 * Records of JSON by key. This is all that Sessile asks of a backend.
 *
 * - Keys are arrays of non-empty strings without NUL and without lone surrogates. Every store takes keys of up
 *   to 4 segments of up to 64 UTF-8 bytes; a longer one, or one that differs from another in letter case alone,
 *   it may refuse with `INVALID_KEY`. No key ever reaches another key's record.
 * - There is one order, that of `compareKeys`: segment by segment, by UTF-8 bytes.
 * - A prefix selects strict descendants: `["a"]` matches `["a", "b"]`, neither `["a"]` nor `["ab"]`; `[]` matches all.
 * - Values are JSON (see `encodeValue`). What is not is refused with `INVALID_VALUE` before anything changes.
 *   Keys and values are taken when a method is called, those of an iteration at its first step, and come back
 *   as fresh copies, with unknown fields and the order of properties kept.
 * - Arguments that make no sense (misspelt options, contradictory ranges, unknown operations) are refused with
 *   `INVALID_ARGUMENT` before anything changes.
 * - An iteration begins at its first step, and blocks nobody while it is paused. Records that are there all the
 *   time come exactly once and in order; those that come or go meanwhile may be seen or not.
 * - Every store declares the `standardIndexes` unless it was opened with others.
 * - Once `close` was called every method rejects with `CLOSED`, and so does the next step of an open iteration.
 *   What changes something on a store opened for reading rejects with `READONLY`.
 * - All failures are `StorageError`s, but for what an editor throws.
 */
export interface Storage extends AsyncDisposable {
  readonly capabilities: Capabilities

  /** The value under `key`; rejects with `NOT_FOUND` when there is none. */
  read<T>(key: Key): Promise<T>

  /** Stores `value` under `key`, in place of what was there. */
  write<T>(key: Key, value: T): Promise<void>

  /**
   * Lets `edit` change a copy of the value, stores it, and gives what was stored. Nothing comes between the
   * reading and the writing, other processes included where `multiProcess` is declared. Rejects with
   * `NOT_FOUND` when there is no value; when `edit` throws, its error comes through and nothing changes. `edit`
   * must not be asynchronous (`INVALID_ARGUMENT`).
   */
  update<T>(key: Key, edit: (draft: T) => void): Promise<T>

  /** Removes the record; one that is not there is fine. */
  remove(key: Key): Promise<void>

  /** The keys below `prefix`, in order. */
  list(prefix: Key, range?: Range): Promise<Key[]>

  /** The records below `prefix`, in key order. */
  scan<T>(prefix: Key, options?: ScanOptions): AsyncIterable<Entry<T>>

  /**
   * The records below any of the prefixes, in key order, each once, in one round trip where the engine can;
   * `limit` counts over all prefixes.
   */
  scanMany<T>(prefixes: readonly Key[], options?: ScanOptions): AsyncIterable<Entry<T>>

  /** The records that a declared index selects, in its order; `UNSUPPORTED` for an index that is not declared. */
  find<T>(index: IndexName, query?: IndexQuery): AsyncIterable<Entry<T>>

  /**
   * Carries the operations out in order. All of them are checked before the first one: an invalid key or value
   * changes nothing. All or nothing where `atomicBatch` is declared; elsewhere a failure leaves the operations
   * before it done and those behind it undone.
   */
  batch(operations: readonly Operation[], options?: BatchOptions): Promise<void>

  /** Waits for what is under way and lets go of the store. Closing twice is fine. */
  close(): Promise<void>
}
