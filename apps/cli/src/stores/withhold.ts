import type { ReadPage, RecordSource } from "@sessile/convert"

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
    check: () => source.check(),
    async *read(plan, options) {
      for await (const page of source.read(plan, options)) {
        const { records, lines } = page.lines?.keys().some((key) => keys.has(key)) ? withoutLines(page) : page
        yield {
          records: records.map((record) => (keys.has(record.key) ? { key: record.key, reason } : record)),
          lines,
        }
      }
    },
  }
}

function withoutLines({ records, lines }: ReadPage): ReadPage {
  return { records: [...records, ...(lines?.records() ?? [])] }
}
