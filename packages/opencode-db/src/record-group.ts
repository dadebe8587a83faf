import { decodeKey, type SessionLines } from "@sessile/core/storage"
import type { RowRecord } from "./row-record.js"

/** Records that are added together, some of them perhaps as lines. */
export class RecordGroup {
  readonly records: readonly RowRecord[]
  readonly #lines: SessionLines | undefined

  constructor(records: readonly RowRecord[], lines?: SessionLines) {
    this.records = records
    this.#lines = lines
  }

  /** The messages of a session, or the parts of a message. */
  ownedBy(owner: string, kind: "message" | "part"): RowRecord[] {
    const isOwned = ({ key: [name, of] }: Pick<RowRecord, "key">) => name === kind && of === owner
    const lines = this.#lines?.keys.flatMap((encoded, position) => {
      const key = decodeKey(encoded)
      return isOwned({ key }) ? { key, value: this.#lines?.value(position) } : []
    })
    return [...this.records.filter(isOwned), ...(lines ?? [])]
  }
}
