import {
  AbstractStorage,
  type IndexDefinition,
  type IndexQuery,
  type Selection,
  type Span,
  StorageError,
  type TextEntry,
  type TextOperation,
  type TextRecord,
} from "@sessile/core/storage"
import { type CursorQuery, type Engine, EngineError, PAGE, type PageQuery, SPANS } from "./engine.js"

/** How a {@link NetworkStorage} reaches its server. */
export interface NetworkConnection {
  readonly engine: Engine
  readonly disconnect: () => void
}

/**
 * A sound adapter for a database server: it reads by pages, shows snapshots by cursors, changes thousands of records
 * in transactions of several requests. Mutants override one of its methods.
 */
export class NetworkStorage extends AbstractStorage {
  readonly capabilities = {
    durable: true,
    atomicBatch: true,
    multiProcess: true,
    snapshots: true,
    checksums: false,
  } as const
  protected readonly engine: Engine
  readonly #disconnect: () => void

  constructor({ engine, disconnect }: NetworkConnection, readonly: boolean) {
    super({ readonly })
    this.engine = engine
    this.#disconnect = disconnect
  }

  protected _read(key: string): Promise<string | undefined> {
    return this.ask(() => this.engine.get(key))
  }

  protected async _write(key: string, text: string): Promise<void> {
    await this.ask(() => this.engine.apply([{ type: "write", key, text }]))
  }

  protected async _remove(key: string): Promise<void> {
    await this.ask(() => this.engine.apply([{ type: "remove", key }]))
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    for await (const rows of this.pages({ spans: [span], reverse })) yield rows.map(({ key }) => key)
  }

  protected override async *_entries(selection: Selection): AsyncGenerator<readonly TextEntry[], void, void> {
    const { spans, reverse, limit, snapshot } = selection
    if (snapshot) return yield* this.cursorPages({ spans, reverse })
    let wanted = limit
    for (const some of slices(spans, SPANS)) {
      for await (const rows of this.pages({ spans: some, reverse }, wanted)) {
        yield rows
        wanted -= rows.length
      }
      if (wanted <= 0) return
    }
  }

  protected override _find(
    index: IndexDefinition,
    { onCorrupt: _, ...query }: IndexQuery,
  ): AsyncGenerator<readonly TextEntry[], void, void> {
    return this.cursorPages({ index: index.name, query })
  }

  protected override async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    await this.inTransaction(async (transaction) => {
      await this.ask(() => this.engine.lock(transaction, [key]))
      const text = change(await this.ask(() => this.engine.get(key)))
      await this.ask(() => this.engine.put(transaction, [{ type: "write", key, text }]))
    })
  }

  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    const sorted = this.inLockingOrder(operations)
    if (sorted.length <= PAGE) return this.ask(() => this.engine.apply(sorted))
    await this.inTransaction(async (transaction) => {
      for (const some of slices(sorted, PAGE)) await this.ask(() => this.engine.put(transaction, some))
    })
  }

  protected override async _add(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    const present = new Map<string, TextEntry>()
    await this.inTransaction(async (transaction) => {
      for (const some of slices(this.inLockingOrder(records), PAGE)) {
        const rows = await this.ask(() => this.engine.add(transaction, some))
        for (const row of rows) present.set(row.key, row)
      }
    })
    return records.map(({ key }) => present.get(key))
  }

  protected override async _readMany(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]> {
    const rows = new Map<string, TextEntry>()
    for (const some of slices(keys, PAGE)) {
      for (const row of await this.ask(() => this.engine.getMany(some))) rows.set(row.key, row)
    }
    return keys.map((key) => rows.get(key))
  }

  protected override async _close(): Promise<void> {
    this.#disconnect()
  }

  /** The records of some spans, page by page, at most `limit` of them. */
  protected async *pages(
    query: Omit<PageQuery, "after" | "count">,
    limit = Number.POSITIVE_INFINITY,
  ): AsyncGenerator<readonly TextRecord[], void, void> {
    let wanted = limit
    let after: string | undefined
    while (wanted > 0) {
      const { rows, more } = await this.ask(() =>
        this.engine.page({ ...query, after, count: Math.min(PAGE, wanted) }),
      )
      yield rows
      if (!more) return
      after = rows.at(-1)?.key
      wanted -= rows.length
    }
  }

  protected async *cursorPages(query: CursorQuery): AsyncGenerator<readonly TextRecord[], void, void> {
    const cursor = await this.ask(() => this.engine.openCursor(query))
    try {
      for (;;) {
        const { rows, more } = await this.ask(() => this.engine.fetch(cursor, PAGE))
        yield rows
        if (!more) return
      }
    } finally {
      await this.ask(() => this.engine.closeCursor(cursor))
    }
  }

  protected async inTransaction(work: (transaction: number) => Promise<void>): Promise<void> {
    const transaction = await this.ask(() => this.engine.begin())
    try {
      await work(transaction)
      await this.ask(() => this.engine.commit(transaction))
    } catch (error) {
      // The server has rolled back what a lost connection left open.
      await this.engine.rollback(transaction).catch((failure) => {
        if (!(failure instanceof EngineError)) throw failure
      })
      throw error
    }
  }

  /** All clients lock in one order, so that none of them wait for each other; what concerns one key stays in order. */
  protected inLockingOrder<T extends { readonly key: string }>(items: readonly T[]): readonly T[] {
    return items.toSorted((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  }

  protected async ask<T>(request: () => Promise<T>): Promise<T> {
    try {
      return await request()
    } catch (error) {
      if (!(error instanceof EngineError)) throw error
      const code = error.code === "40P01" ? "LOCKED" : "IO"
      throw new StorageError(code, `The server failed with ${error.code}`, { cause: error })
    }
  }
}

export function* slices<T>(items: readonly T[], size: number): Generator<readonly T[], void, void> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size)
}
