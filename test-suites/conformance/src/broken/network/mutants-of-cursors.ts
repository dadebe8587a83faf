import type {
  Entry,
  IndexDefinition,
  IndexQuery,
  Selection,
  TextEntry,
  TextRecord,
} from "@sessile/core/storage"
import { type CursorQuery, PAGE, SPANS } from "./engine.js"
import type { NetworkMutant } from "./network-mutant.js"
import { NetworkStorage, slices } from "./network-storage.js"

type Rows = AsyncGenerator<readonly TextRecord[], void, void>

/** Fetches all rows of a cursor, which is closed only at the end. */
class LeakingStorage extends NetworkStorage {
  protected async *leakingPages(query: CursorQuery): Rows {
    const cursor = await this.ask(() => this.engine.openCursor(query))
    for (;;) {
      const { rows, more } = await this.ask(() => this.engine.fetch(cursor, PAGE))
      if (!more) await this.ask(() => this.engine.closeCursor(cursor))
      yield rows
      if (!more) return
    }
  }
}

/** Faults in how cursors are used: snapshots, indexes, and what they hold on the server. */
export const mutantsOfCursors: readonly NetworkMutant[] = [
  {
    name: "a snapshot is one of the first page alone",
    caughtBy: ["pages/snapshot-holds"],
    storage: class extends NetworkStorage {
      protected override async *_entries(selection: Selection) {
        if (!selection.snapshot) return yield* super._entries(selection)
        const { spans, reverse } = selection
        yield* this.pages({ spans, reverse })
      }
    },
  },
  {
    name: "each request for 100 prefixes has a snapshot of its own",
    caughtBy: ["pages/snapshot-holds"],
    storage: class extends NetworkStorage {
      protected override async *_entries(selection: Selection) {
        if (!selection.snapshot) return yield* super._entries(selection)
        const { spans, reverse } = selection
        for (const some of slices(spans, SPANS)) yield* this.cursorPages({ spans: some, reverse })
      }
    },
  },
  {
    name: "the cursor of a snapshot that is left early stays open",
    caughtBy: ["resources/abandoned-scans"],
    storage: class extends LeakingStorage {
      protected override _entries(selection: Selection) {
        const { spans, reverse, snapshot } = selection
        return snapshot ? this.leakingPages({ spans, reverse }) : super._entries(selection)
      }
    },
  },
  {
    name: "the cursor of a find that is left early stays open",
    caughtBy: ["resources/abandoned-finds"],
    storage: class extends LeakingStorage {
      protected override _find({ name }: IndexDefinition, { onCorrupt: _, ...query }: IndexQuery) {
        return this.leakingPages({ index: name, query })
      }
    },
  },
  {
    name: "a find gives no more than one page",
    caughtBy: ["pages/find"],
    storage: class extends NetworkStorage {
      protected override async *_find(index: IndexDefinition, query: IndexQuery) {
        for await (const rows of super._find(index, query)) {
          yield rows
          return
        }
      }
    },
  },
  {
    name: "a find starts anew on every page",
    caughtBy: ["pages/find"],
    storage: class extends NetworkStorage {
      protected override async *cursorPages(query: CursorQuery): Rows {
        if ("spans" in query) return yield* super.cursorPages(query)
        for (let skipped = 0; ; ) {
          const rows: TextRecord[] = []
          for await (const page of super.cursorPages(query)) rows.push(...page)
          // Off by one where a page ends.
          const next = rows.slice(skipped === 0 ? 0 : skipped - 1, skipped + PAGE)
          yield next
          skipped += PAGE
          if (skipped >= rows.length) return
        }
      }
    },
  },
  {
    name: "what an index selects is remembered until this handle writes",
    caughtBy: ["pages/find-follows-changes"],
    storage: class extends NetworkStorage {
      readonly #remembered = new Map<string, TextRecord[]>()
      protected override async *_find(index: IndexDefinition, query: IndexQuery) {
        const name = JSON.stringify([index.name, query])
        const rows = this.#remembered.get(name) ?? []
        if (rows.length === 0)
          for await (const page of super._find(index, query)) rows.push(...(page as TextRecord[]))
        this.#remembered.set(name, rows)
        yield rows
      }
      protected override async _write(key: string, text: string) {
        this.#remembered.clear()
        await super._write(key, text)
      }
      protected override async _remove(key: string) {
        this.#remembered.clear()
        await super._remove(key)
      }
      protected override async _batch(operations: Parameters<NetworkStorage["_batch"]>[0]) {
        this.#remembered.clear()
        await super._batch(operations)
      }
    },
  },
  {
    name: "what a scan has read beyond its first page is remembered",
    caughtBy: ["pages/changes-are-seen"],
    storage: class extends NetworkStorage {
      readonly #pages = new Map<string, readonly TextEntry[]>()
      protected override async *_entries(selection: Selection) {
        let number = 0
        for await (const rows of super._entries(selection)) {
          const page = JSON.stringify([selection.spans, number++])
          const remembered = number > 1 ? this.#pages.get(page) : undefined
          this.#pages.set(page, rows)
          yield remembered ?? rows
        }
      }
    },
  },
  {
    name: "a find goes on after its cursor has failed",
    caughtBy: ["failures/iterations"],
    storage: class extends NetworkStorage {
      override async *find<T>(index: string, query?: IndexQuery): AsyncGenerator<Entry<T>, void, void> {
        let count = 0
        try {
          for await (const entry of super.find<T>(index, query)) {
            yield entry
            count++
          }
        } catch (error) {
          if (count < PAGE) throw error
        }
      }
    },
  },
]
