import type { RecordSource } from "@sessile/convert"

/** Records that are not to be moved, and why. */
export interface Withheld {
  /** Encoded. */
  readonly keys: ReadonlySet<string>
  readonly reason: string
}

/** A source of which some records are to be set aside. */
export function withhold(source: RecordSource, { keys, reason }: Withheld): RecordSource {
  return {
    count: () => source.count(),
    async *read(plan, onForeign) {
      for await (const page of source.read(plan, onForeign)) {
        yield page.map((record) => (keys.has(record.key) ? { key: record.key, reason } : record))
      }
    },
  }
}
