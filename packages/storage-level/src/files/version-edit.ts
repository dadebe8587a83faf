import { ByteReader } from "./byte-reader.js"
import { Damage } from "./damage.js"

/** A table as a MANIFEST names it. */
export interface TableEntry {
  readonly level: number
  readonly number: number
  readonly size: number
}

/** One record of a MANIFEST: a change to what the database consists of. */
export interface VersionEdit {
  logNumber?: number
  nextFileNumber?: number
  lastSequence?: number
  readonly removed: Omit<TableEntry, "size">[]
  readonly added: TableEntry[]
}

/** @throws Damage for bytes that are no edit */
export function parseVersionEdit(bytes: Buffer): VersionEdit {
  const reader = new ByteReader(bytes)
  const edit: VersionEdit = { removed: [], added: [] }
  while (!reader.isAtEnd) {
    const parse = fields[reader.varint()]
    if (parse === undefined) throw new Damage("its MANIFEST has an unknown field")
    parse(reader, edit)
  }
  return edit
}

// By the tags of the format. 8 is no longer in use.
const fields: Readonly<Record<number, (reader: ByteReader, edit: VersionEdit) => void>> = {
  // The name of the order of keys.
  1: (reader) => {
    reader.prefixedBytes()
  },
  2: (reader, edit) => {
    edit.logNumber = reader.varint()
  },
  3: (reader, edit) => {
    edit.nextFileNumber = reader.varint()
  },
  4: (reader, edit) => {
    edit.lastSequence = reader.varint()
  },
  // Where the next compaction of a level starts.
  5: (reader) => {
    reader.varint()
    reader.prefixedBytes()
  },
  6: (reader, edit) => {
    edit.removed.push({ level: reader.varint(), number: reader.varint() })
  },
  7: (reader, edit) => {
    edit.added.push({ level: reader.varint(), number: reader.varint(), size: reader.varint() })
    // Its smallest and its largest key.
    reader.prefixedBytes()
    reader.prefixedBytes()
  },
  // A log of a version that no longer exists.
  9: (reader) => {
    reader.varint()
  },
}
