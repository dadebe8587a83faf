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

/**
 * Two stores as one, for reading: where both have a record under a key, it is the first one's. A session that the first one
 * has comes from there only, whichever project the second one has it in.
 */
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
  readonly #sessions: ReadonlySet<string>

  /** `sessions` are the ids of the first one's sessions, where the second one may have some of them too. */
  constructor(first: TextStorage, second: TextStorage, sessions: ReadonlySet<string> = new Set()) {
    super({ readonly: true, indent: 2 })
    this.#first = first
    this.#second = second
    this.#sessions = sessions
  }

  override scanTexts(options?: TextScanOptions): AsyncGenerator<TextEntry[], void, void> {
    // Records of one store wait for those of the other, longer than a shelf would keep them.
    const apart = { ...options, shelf: undefined }
    const others = filtered(this.#second.scanTexts(apart), ({ key }) => !this.#isKnown(key))
    const { changedSince } = options ?? {}
    // What the first one has unchanged would not hide the second one's.
    const hidden = changedSince === undefined ? others : this.#withoutFirst(others)
    return merged(this.#first.scanTexts(apart), hidden, ({ key }) => key)
  }

  override scanKeys(options?: TextScanOptions): AsyncGenerator<string[], void, void> {
    const others = filtered(this.#second.scanKeys(options), (key) => !this.#isKnown(key))
    return merged(this.#first.scanKeys(options), others, (key) => key)
  }

  protected async _read(key: string): Promise<string | undefined> {
    const [entry] = await this._readMany([key])
    if (entry === undefined) return undefined
    if ("error" in entry) throw entry.error
    return entry.text
  }

  protected override async _readMany(keys: readonly string[]): Promise<(TextEntry | undefined)[]> {
    const entries = [...(await this.#first.readTexts(keys))]
    const absent = keys.flatMap((key, position) =>
      entries[position] === undefined && !this.#isKnown(key) ? [position] : [],
    )
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
    throw new StorageError("READONLY", "Several stores together can only be read")
  }

  protected _remove(): Promise<void> {
    return this._write()
  }

  async *#withoutFirst(pages: AsyncIterable<TextEntry[]>): AsyncGenerator<TextEntry[], void, void> {
    for await (const page of pages) {
      const present = await this.#first.readTexts(page.map(({ key }) => key))
      yield page.filter((_, position) => present[position] === undefined)
    }
  }

  /** Whether a key is that of a session that the first store has. */
  #isKnown(key: string): boolean {
    const [kind, , session, ...below] = key.split("\0")
    return kind === "session" && below.length === 0 && session !== undefined && this.#sessions.has(session)
  }

  protected override async _close(): Promise<void> {
    await this.#first.close()
    await this.#second.close()
  }
}

async function* filtered<T>(
  pages: AsyncIterable<readonly T[]>,
  isWanted: (item: T) => boolean,
): AsyncGenerator<T[], void, void> {
  for await (const page of pages) yield page.filter(isWanted)
}

/** The ids of the sessions of a store. */
export async function sessionIds(storage: TextStorage): Promise<Set<string>> {
  const keys = await storage.list(["session"])
  return new Set(keys.flatMap(([, , session]) => session ?? []))
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
