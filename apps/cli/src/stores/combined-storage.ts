import {
  AbstractStorage,
  compareUtf8,
  isWithin,
  type Span,
  StorageError,
  type TextEntry,
  type TextScanOptions,
  type TextStorage,
} from "@sessile/core/storage"

/** How many records of the second store may come between two of the first one in a page. */
const PAGE_RECORDS = 200

/** Two stores as one, for reading: where both have a record under a key, it is the first one's. */
export class CombinedStorage extends AbstractStorage {
  readonly capabilities = {
    durable: true,
    atomicBatch: false,
    multiProcess: true,
    snapshots: false,
    checksums: false,
  } as const
  readonly #first: TextStorage
  readonly #second: TextStorage

  constructor(first: TextStorage, second: TextStorage) {
    super({ readonly: true, indent: 2 })
    this.#first = first
    this.#second = second
  }

  override scanTexts(options?: TextScanOptions): AsyncGenerator<TextEntry[], void, void> {
    // Records of one store wait for those of the other, longer than a shelf would keep them.
    const apart = { ...options, shelf: undefined }
    return merged(this.#first.scanTexts(apart), this.#second.scanTexts(apart), ({ key }) => key)
  }

  override scanKeys(options?: TextScanOptions): AsyncGenerator<string[], void, void> {
    return merged(this.#first.scanKeys(options), this.#second.scanKeys(options), (key) => key)
  }

  protected async _read(key: string): Promise<string | undefined> {
    const [entry] = await this._readMany([key])
    if (entry === undefined) return undefined
    if ("error" in entry) throw entry.error
    return entry.text
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const entries = [...(await this.#first.readTexts(keys))]
    const absent = keys.flatMap((_, position) => (entries[position] === undefined ? [position] : []))
    const others = await this.#second.readTexts(absent.map((position) => keys[position] as string))
    for (const [index, position] of absent.entries()) entries[position] = others[index]
    return entries
  }

  protected async *_keys(span: Span, reverse: boolean): AsyncGenerator<string[], void, void> {
    const keys: string[] = []
    for await (const page of this.scanKeys()) keys.push(...page.filter((key) => isWithin(span, key)))
    yield reverse ? keys.reverse() : keys
  }

  protected override async _check(): Promise<string[]> {
    return [...(await this.#first.check()), ...(await this.#second.check())]
  }

  // The base refuses changes to a store that is opened for reading before it comes to these two.
  protected _write(): Promise<void> {
    throw new StorageError("READONLY", "Two stores together are for reading only")
  }

  protected _remove(): Promise<void> {
    return this._write()
  }

  protected override async _close(): Promise<void> {
    await this.#first.close()
    await this.#second.close()
  }
}

/** Merges two streams of pages that are in key order. */
async function* merged<T>(
  first: AsyncIterable<readonly T[]>,
  second: AsyncIterable<readonly T[]>,
  keyOf: (item: T) => string,
): AsyncGenerator<T[], void, void> {
  const others = items(second)
  try {
    let other = await others.next()
    for await (const page of first) {
      let ready: T[] = []
      for (const item of page) {
        while (!other.done && compareUtf8(keyOf(other.value), keyOf(item)) < 0) {
          ready.push(other.value)
          other = await others.next()
          if (ready.length < PAGE_RECORDS) continue
          yield ready
          ready = []
        }
        if (!other.done && keyOf(other.value) === keyOf(item)) other = await others.next()
        ready.push(item)
      }
      yield ready
    }
    for (; !other.done; other = await others.next()) yield [other.value]
  } finally {
    await others.return()
  }
}

async function* items<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<T, void, void> {
  for await (const page of pages) yield* page
}
