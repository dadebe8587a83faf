import {
  type Entry,
  type Key,
  type ScanOptions,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type TextRecord,
} from "@sessile/core/storage"
import { EngineError, PAGE, type PageQuery, SPANS } from "./engine.js"
import type { NetworkMutant } from "./network-mutant.js"
import { NetworkStorage, slices } from "./network-storage.js"

type Query = Omit<PageQuery, "after" | "count">
type Rows = AsyncGenerator<readonly TextRecord[], void, void>

/** Faults in how pages follow each other. */
export const mutantsOfPages: readonly NetworkMutant[] = [
  {
    name: "the record after a page is left out",
    caughtBy: ["pages/scan", "pages/limits", "pages/scan-many", "bulk/scan"],
    storage: class extends NetworkStorage {
      protected override async *pages(query: Query, limit?: number): Rows {
        let isFirst = true
        for await (const rows of super.pages(query, limit)) {
          yield isFirst || query.reverse ? rows : rows.slice(1)
          isFirst = false
        }
      }
    },
  },
  {
    name: "in reverse the last record of a page comes again on the next one",
    caughtBy: ["pages/scan", "pages/limits", "pages/while-changing"],
    storage: class extends NetworkStorage {
      protected override async *pages(query: Query, limit?: number): Rows {
        let last: TextRecord | undefined
        for await (const rows of super.pages(query, limit)) {
          yield last !== undefined && query.reverse ? [last, ...rows] : rows
          last = rows.at(-1)
        }
      }
    },
  },
  {
    name: "a limit ends at the first page",
    caughtBy: ["pages/limits"],
    storage: class extends NetworkStorage {
      protected override pages(query: Query, limit = Number.POSITIVE_INFINITY): Rows {
        return super.pages(query, Number.isFinite(limit) ? Math.min(limit, PAGE) : limit)
      }
    },
  },
  {
    name: "a limit is divided among the requests for prefixes",
    caughtBy: ["pages/limits"],
    storage: class extends NetworkStorage {
      protected override async *_entries(selection: Selection) {
        const { spans, reverse, limit, snapshot } = selection
        if (snapshot || spans.length <= SPANS) return yield* super._entries(selection)
        const each = Math.ceil(limit / Math.ceil(spans.length / SPANS))
        for (const some of slices(spans, SPANS)) yield* this.pages({ spans: some, reverse }, each)
      }
    },
  },
  {
    name: "of more than 100 prefixes the rest is left out",
    caughtBy: ["pages/scan-many", "pages/while-changing"],
    storage: class extends NetworkStorage {
      protected override _entries(selection: Selection) {
        if (selection.snapshot) return super._entries(selection)
        return super._entries({ ...selection, spans: selection.spans.slice(0, SPANS) })
      }
    },
  },
  {
    name: "in reverse the requests for prefixes are made in ascending order",
    caughtBy: ["pages/scan-many", "pages/limits"],
    storage: class extends NetworkStorage {
      protected override async *_entries(selection: Selection) {
        const { spans, reverse, snapshot } = selection
        if (snapshot || !reverse) return yield* super._entries(selection)
        for (const some of [...slices(spans, SPANS)].reverse()) yield* this.pages({ spans: some, reverse })
      }
    },
  },
  {
    name: "more than 100 prefixes are scanned in groups as they are given",
    caughtBy: ["pages/scan-many"],
    storage: class extends NetworkStorage {
      override async *scanMany<T>(
        prefixes: readonly Key[],
        options?: ScanOptions,
      ): AsyncGenerator<Entry<T>, void, void> {
        if (prefixes.length <= SPANS) return yield* super.scanMany<T>(prefixes, options)
        for (const some of slices(prefixes, SPANS)) yield* super.scanMany<T>(some, options)
      }
    },
  },
  {
    name: "a list in reverse ends with its first page",
    caughtBy: ["pages/scan"],
    storage: class extends NetworkStorage {
      protected override async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
        for await (const keys of super._keys(span, reverse)) {
          yield keys
          if (reverse) return
        }
      }
    },
  },
  {
    name: "a page that is not full is taken for the last one",
    caughtBy: ["pages/large-records"],
    storage: class extends NetworkStorage {
      protected override async *pages(query: Query, limit?: number): Rows {
        for await (const rows of super.pages(query, limit)) {
          yield rows
          if (rows.length < PAGE) return
        }
      }
    },
  },
  {
    name: "an error on a later page ends the iteration as if it were complete",
    caughtBy: ["failures/iterations", "bulk/failures"],
    storage: class extends NetworkStorage {
      protected override async *_entries(
        selection: Selection,
      ): AsyncGenerator<readonly TextEntry[], void, void> {
        let count = 0
        try {
          for await (const rows of super._entries(selection)) {
            yield rows
            count++
          }
        } catch (error) {
          if (count === 0) throw error
        }
      }
    },
  },
  {
    name: "an error on a later page comes as the engine throws it",
    caughtBy: ["failures/iterations"],
    storage: class extends NetworkStorage {
      protected override async *pages(query: Query): Rows {
        let after: string | undefined
        const next = () => this.engine.page({ ...query, after, count: PAGE })
        for (let page = await this.ask(next); ; page = await next()) {
          yield page.rows
          if (!page.more) return
          after = page.rows.at(-1)?.key
        }
      }
    },
  },
  {
    name: "a list without a connection is empty",
    caughtBy: ["failures/every-method", "failures/iterations"],
    storage: class extends NetworkStorage {
      protected override async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
        try {
          yield* super._keys(span, reverse)
        } catch (error) {
          if (!StorageError.is(error, "IO")) throw error
        }
      }
    },
  },
  {
    name: "the records that were fetched before close come after it",
    caughtBy: ["pages/closed-iteration", "life-cycle/closed-iteration"],
    storage: class extends NetworkStorage {
      override scan<T>(prefix: Key, options?: ScanOptions): AsyncGenerator<Entry<T>, void, void> {
        return ahead(super.scan<T>(prefix, options), PAGE)
      }
    },
  },
  {
    name: "a read without a connection finds nothing",
    caughtBy: ["failures/every-method"],
    storage: class extends NetworkStorage {
      protected override async _read(key: string): Promise<string | undefined> {
        try {
          return await this.engine.get(key)
        } catch (error) {
          if (error instanceof EngineError) return undefined
          throw error
        }
      }
    },
  },
]

/** Fetches so many items at once. */
async function* ahead<T>(items: AsyncGenerator<T, void, void>, count: number): AsyncGenerator<T, void, void> {
  for (;;) {
    const fetched: T[] = []
    while (fetched.length < count) {
      const next = await items.next()
      if (next.done) return yield* fetched
      fetched.push(next.value)
    }
    yield* fetched
  }
}
