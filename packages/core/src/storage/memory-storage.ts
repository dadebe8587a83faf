import { AbstractStorage } from "./abstract-storage.js"
import type { IndexDefinition } from "./index-definition.js"
import { compareUtf8 } from "./key.js"
import { checkOptions } from "./options.js"
import type { Selection, Span } from "./span.js"
import type { TextEntry, TextOperation } from "./text-entry.js"

/** How to open a {@link MemoryStorage}. */
export interface MemoryStorageOptions {
  /** The indexes that `find` knows; `standardIndexes` by default. */
  readonly indexes?: readonly IndexDefinition[] | undefined
}

/**
 * Records in memory, gone with the process. For tests, and for agents that need no history.
 *
 * @example
 * ```ts
 * const storage = new MemoryStorage()
 * await storage.write(["project", "global"], { id: "global", worktree: "/" })
 * ```
 */
export class MemoryStorage extends AbstractStorage {
  readonly capabilities = {
    durable: false,
    atomicBatch: true,
    multiProcess: false,
    snapshots: true,
    checksums: false,
  } as const
  readonly #texts = new Map<string, string>()
  readonly #sorted: string[] = []

  constructor(options: MemoryStorageOptions = {}) {
    checkOptions("MemoryStorage", options, { indexes: "array?" })
    super({ indexes: options.indexes })
  }

  protected async _read(key: string): Promise<string | undefined> {
    return this.#texts.get(key)
  }

  protected async _write(key: string, text: string): Promise<void> {
    this.#set(key, text)
  }

  protected async _remove(key: string): Promise<void> {
    this.#delete(key)
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    yield this.#within(span, reverse)
  }

  // Strings are immutable, so gathering them at once is the snapshot.
  protected override async *_entries({ spans, reverse }: Selection): AsyncGenerator<TextEntry[], void, void> {
    const keys = spans.flatMap((span) => this.#within(span, reverse))
    yield keys.map((key) => ({ key, text: this.#texts.get(key) as string }))
  }

  // Without an await in between nobody sees a part of it, and nothing in it can fail.
  protected override async _batch(operations: readonly TextOperation[]): Promise<void> {
    for (const operation of operations) {
      if (operation.type === "write") this.#set(operation.key, operation.text)
      else this.#delete(operation.key)
    }
  }

  #within(span: Span, reverse: boolean): string[] {
    const end = span.lt === undefined ? this.#sorted.length : this.#position(span.lt)
    const keys = this.#sorted.slice(this.#position(span.gte), end)
    return reverse ? keys.reverse() : keys
  }

  #set(key: string, text: string): void {
    if (!this.#texts.has(key)) this.#sorted.splice(this.#position(key), 0, key)
    this.#texts.set(key, text)
  }

  #delete(key: string): void {
    if (this.#texts.delete(key)) this.#sorted.splice(this.#position(key), 1)
  }

  /** How many keys sort before this one. */
  #position(key: string): number {
    let low = 0
    let high = this.#sorted.length
    while (low < high) {
      const middle = (low + high) >>> 1
      if (compareUtf8(this.#sorted[middle] as string, key) < 0) low = middle + 1
      else high = middle
    }
    return low
  }
}
