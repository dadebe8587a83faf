import type { Key } from "@sessile/core/storage"

/** A record that belongs into a table. */
export interface RowRecord {
  readonly key: Key
  readonly value: unknown
}
