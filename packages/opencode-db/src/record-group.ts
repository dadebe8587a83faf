import { decodeKey, type Key, type SessionLines } from "@sessile/core/storage"
import type { RowRecord } from "./row-record.js"

/** Records that are added together, some of them perhaps as lines. */
export class RecordGroup {
  readonly records: readonly RowRecord[]
  readonly #lines: SessionLines | undefined
  /** By kind and owner; gone through only for those who ask, which is rare. */
  #owned: Map<string, RowRecord[]> | undefined

  constructor(records: readonly RowRecord[], lines?: SessionLines) {
    this.records = records
    this.#lines = lines
  }

  /** The messages of a session, or the parts of a message. */
  ownedBy(owner: string, kind: "message" | "part"): readonly RowRecord[] {
    this.#owned ??= this.#byOwner()
    return this.#owned.get(ownerKey([kind, owner])) ?? []
  }

  #byOwner(): Map<string, RowRecord[]> {
    const owned = new Map<string, RowRecord[]>()
    for (const record of [...this.records, ...this.#recordsOfLines()]) {
      const siblings = owned.get(ownerKey(record.key))
      if (siblings === undefined) owned.set(ownerKey(record.key), [record])
      else siblings.push(record)
    }
    return owned
  }

  #recordsOfLines(): RowRecord[] {
    const lines = this.#lines
    if (lines === undefined) return []
    return Array.from({ length: lines.length }, (_, position) => new LineRecord(lines, position))
  }
}

/** A record that is a line, parsed when somebody wants to know what it says. */
class LineRecord implements RowRecord {
  readonly key: Key
  readonly #lines: SessionLines
  readonly #position: number

  constructor(lines: SessionLines, position: number) {
    this.key = decodeKey(lines.key(position))
    this.#lines = lines
    this.#position = position
  }

  get value(): unknown {
    return this.#lines.value(this.#position)
  }
}

function ownerKey([kind, owner]: Key): string {
  return `${kind}\0${owner}`
}
