import type { ReadLines } from "./read-lines.js"
import { isSound, type ReadRecord } from "./read-record.js"

/** Records that were read together. */
export interface ReadPage {
  readonly records: readonly ReadRecord[]
  /** More of them, as lines. */
  readonly lines?: ReadLines | undefined
}

/** How many records there are, and how many bytes their texts take. */
export function sizeOf({ records, lines }: ReadPage): { records: number; bytes: number } {
  let bytes = 0
  for (const record of records) if (isSound(record)) bytes += record.bytes
  if (lines === undefined) return { records: records.length, bytes }
  return { records: records.length + lines.length, bytes: bytes + lines.messageBytes + lines.partBytes }
}
