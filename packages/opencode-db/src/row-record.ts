import type { Key, RecordLine } from "@sessile/core/storage"

/** A record that belongs into a table: its line, if it has one, or what is known of it otherwise. */
export type RowRecord = RecordLine | { readonly key: Key; readonly value: unknown }
