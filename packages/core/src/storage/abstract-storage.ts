import { encodeOperation, validEncodedKey } from "./encode-operation.js"
import { exchangeFromStored, isKeptAsItIs, storedFromExchange } from "./exchange-text.js"
import { findByScan } from "./find-by-scan.js"
import {
  type IndexDefinition,
  type IndexName,
  type IndexQuery,
  standardIndexes,
  validateQuery,
} from "./index-definition.js"
import { decodeKey, type Key } from "./key.js"
import { KeyLock } from "./key-lock.js"
import { LifeCycle } from "./life-cycle.js"
import { nextPage } from "./next-page.js"
import { checkOptions } from "./options.js"
import { invalidArgument, notFound, refusePromise, undeclaredIndex, unsupported } from "./refusals.js"
import type { Shelf } from "./shelf.js"
import { type Range, rangeShape, type Selection, type Span, select, type Wish } from "./span.js"
import type { BatchOptions, Capabilities, Entry, Operation, ScanOptions } from "./storage.js"
import { StorageError } from "./storage-error.js"
import { type TextEntry, type TextOperation, type TextRecord, tryDecode } from "./text-entry.js"
import {
  isInShare,
  type Share,
  type ShelvedFolder,
  type TextScanOptions,
  type TextStorage,
  textScanShape,
} from "./text-storage.js"
import { decodeValue, encodeValue } from "./value.js"

/** What every adapter shares. */
export interface AbstractStorageSettings {
  readonly readonly?: boolean | undefined
  readonly indexes?: readonly IndexDefinition[] | undefined
  /** Spaces per level of the JSON text; none by default. */
  readonly indent?: number | undefined
  /** Whether each operation of the adapter is one synchronous step, so that nothing can come in between. */
  readonly isSynchronous?: boolean | undefined
  /** Whether `_read` alone is such a step, and waits only for changes of that record that are under way. */
  readonly readsInOneStep?: boolean | undefined
}

/** What an iteration goes through. */
interface Iteration {
  readonly pages: AsyncIterable<readonly TextEntry[]>
  readonly limit: number
  readonly onCorrupt: ((error: StorageError) => void) | undefined
}

const scanShape = { ...rangeShape, snapshot: "boolean?", onCorrupt: "function?" } as const

/**
 * The base of an adapter. It owns validation, JSON, life cycle and in-process locking, and has slow but right
 * defaults; an adapter implements `_read`, `_write`, `_remove`, `_keys` on encoded keys (see `encodeKey`) and
 * JSON texts, and overrides a default where its engine is faster or promises more.
 */
export abstract class AbstractStorage implements TextStorage {
  abstract readonly capabilities: Capabilities
  readonly indexes: readonly IndexDefinition[]
  readonly #readonly: boolean
  readonly #indent: number | undefined
  readonly #locks: KeyLock | undefined
  readonly #readsInOneStep: boolean
  readonly #life = new LifeCycle()

  protected constructor(settings: AbstractStorageSettings = {}) {
    this.#readonly = settings.readonly ?? false
    this.#indent = settings.indent
    this.#locks = settings.isSynchronous ? undefined : new KeyLock()
    this.#readsInOneStep = settings.readsInOneStep ?? false
    this.indexes = settings.indexes ?? standardIndexes
  }

  /** The text under an encoded key, or `undefined`. */
  protected abstract _read(key: string): Promise<string | undefined>

  /** Replaces the text under an encoded key, atomically: no reader ever sees a part of it. */
  protected abstract _write(key: string, text: string): Promise<void>

  /** Removes what is there; nothing is fine. */
  protected abstract _remove(key: string): Promise<void>

  /**
   * The encoded keys within a span, in the order of `compareUtf8`, or against it, in pages of any size. If only a
   * share of them is wanted, an adapter may leave out the others.
   */
  protected abstract _keys(span: Span, reverse: boolean, wish?: Wish): AsyncIterable<readonly string[]>

  /** Keys with texts, in pages of any size, for spans that are given in the direction of travel. */
  protected async *_entries(selection: Selection): AsyncGenerator<readonly TextEntry[], void, void> {
    for (const span of selection.spans) {
      for await (const keys of this._keys(span, selection.reverse)) {
        for (const key of keys) {
          const text = await this._read(key)
          if (text !== undefined) yield [{ key, text }]
        }
      }
    }
  }

  /** Replaces a text by what `change` makes of it. Override it where other processes may write too. */
  protected async _update(key: string, change: (text: string | undefined) => string): Promise<void> {
    await this._write(key, change(await this._read(key)))
  }

  /** Override it to make batches atomic. */
  protected async _batch(operations: readonly TextOperation[]): Promise<void> {
    for (const operation of operations) {
      if (operation.type === "write") await this._write(operation.key, operation.text)
      else await this._remove(operation.key)
    }
  }

  /**
   * Adds the records whose keys are free, and gives what was in the way of the others. Override it where other
   * processes may write too.
   */
  protected async _add(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    const present = await this._readMany(records.map(({ key }) => key))
    const absent = records.filter((_, position) => present[position] === undefined)
    await this._batch(absent.map(({ key, text }) => ({ type: "write", key, text })))
    return present
  }

  /** What is under each of the encoded keys. */
  protected async _readMany(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]> {
    const entries: (TextEntry | undefined)[] = []
    for (const key of keys) entries.push(await this.#tryRead(key))
    return entries
  }

  /** The records right below a prefix, put on a shelf, if an adapter has it that these are plain and small. */
  protected _readFolder(_prefix: Key, _shelf: Shelf): ShelvedFolder | undefined {
    return undefined
  }

  /** What is wrong with the store as a whole (see `TextStorage.check`). */
  protected async _check(): Promise<readonly string[]> {
    return []
  }

  /** Waits until what was written has reached the disk. */
  protected async _flush(): Promise<void> {
    // Nothing to wait for unless an adapter says so.
  }

  /** The records of an index that a query selects. By default the whole prefix is read and sorted. */
  protected _find(index: IndexDefinition, query: IndexQuery): AsyncIterable<readonly TextEntry[]> {
    const entries = this._entries(select([index.prefix], {}))
    return findByScan(entries, index, query, (key) => this._locate(key))
  }

  /** Where a record lies, for messages: a path where the store has one. */
  protected _locate(_key: string): string | undefined {
    return undefined
  }

  /** Lets go of the engine. Nothing is under way any more. */
  protected async _close(): Promise<void> {
    // Nothing to let go of unless an adapter says so.
  }

  read<T>(key: Key): Promise<T> {
    return this.#life.run(async () => {
      const encoded = validEncodedKey(key)
      const taken = [...key]
      const text = await this.#readText(encoded)
      if (text === undefined) throw notFound(taken)
      return decodeValue<T>(text, taken, this._locate(encoded))
    })
  }

  write<T>(key: Key, value: T): Promise<void> {
    return this.#change(async () => {
      const encoded = validEncodedKey(key)
      const text = encodeValue(value, key, this.#indent)
      await this.#alone([{ key: encoded }], () => this._write(encoded, text))
    })
  }

  update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    return this.#change(async () => {
      if (typeof edit !== "function") throw invalidArgument("An editor must be a function", key)
      const encoded = validEncodedKey(key)
      let stored = ""
      const change = (text: string | undefined) => {
        if (text === undefined) throw notFound(decodeKey(encoded))
        const draft = decodeValue<T>(text, key, this._locate(encoded))
        refusePromise(edit(draft), key)
        stored = encodeValue(draft, key, this.#indent)
        return stored
      }
      await this.#alone([{ key: encoded }], () => this._update(encoded, change))
      return decodeValue<T>(stored, key)
    })
  }

  remove(key: Key): Promise<void> {
    return this.#change(async () => {
      const encoded = validEncodedKey(key)
      await this.#alone([{ key: encoded }], () => this._remove(encoded))
    })
  }

  list(prefix: Key, range: Range = {}): Promise<Key[]> {
    return this.#life.run(async () => {
      const { spans, reverse, limit } = select([prefix], range)
      const keys: Key[] = []
      if (limit === 0) return keys
      for (const span of spans) {
        for await (const page of this._keys(span, reverse)) {
          for (const key of page) if (keys.push(decodeKey(key)) >= limit) return keys
        }
      }
      return keys
    })
  }

  scan<T>(prefix: Key, options: ScanOptions = {}): AsyncGenerator<Entry<T>, void, void> {
    return this.scanMany([prefix], options)
  }

  scanMany<T>(prefixes: readonly Key[], options: ScanOptions = {}): AsyncGenerator<Entry<T>, void, void> {
    return this.#decoded<T>(() => {
      checkOptions("scan", options, scanShape)
      const { snapshot, onCorrupt, ...range } = options
      if (snapshot && !this.capabilities.snapshots)
        throw unsupported("a snapshot of its records", "snapshots")
      if (!Array.isArray(prefixes)) throw invalidArgument("scanMany takes a list of prefixes")
      const selection = select(prefixes, range, snapshot)
      return { pages: this._entries(selection), limit: selection.limit, onCorrupt }
    })
  }

  find<T>(index: IndexName, query: IndexQuery = {}): AsyncGenerator<Entry<T>, void, void> {
    return this.#decoded<T>(() => {
      const definition = this.indexes.find((candidate) => candidate.name === index)
      if (definition === undefined) throw undeclaredIndex(index, this.indexes)
      validateQuery(definition, query)
      // The caller's object may change while the iteration goes on.
      const taken = { ...query, equals: query.equals && [...query.equals] }
      const { limit = Number.POSITIVE_INFINITY, onCorrupt } = taken
      return { pages: this._find(definition, taken), limit, onCorrupt }
    })
  }

  batch(operations: readonly Operation[], options: BatchOptions = {}): Promise<void> {
    return this.#change(async () => {
      checkOptions("batch", options, { atomic: "boolean?" })
      if (options.atomic && !this.capabilities.atomicBatch)
        throw unsupported("an atomic batch", "atomicBatch")
      if (!Array.isArray(operations)) throw invalidArgument("A batch is a list of operations")
      const encoded = operations.map((operation) => encodeOperation(operation, this.#indent))
      await this.#alone(encoded, () => this._batch(encoded))
    })
  }

  async *scanTexts(options: TextScanOptions = {}): AsyncGenerator<readonly TextEntry[], void, void> {
    this.#life.assertOpen()
    const selection = this.#selectTexts(options)
    for await (const page of this.#pages(this._entries(selection))) {
      yield page.filter(({ key }) => isInShare(selection.share, key)).map((entry) => this.#toExchange(entry))
    }
  }

  async *scanKeys(options: TextScanOptions = {}): AsyncGenerator<readonly string[], void, void> {
    this.#life.assertOpen()
    const selection = this.#selectTexts(options)
    for (const span of selection.spans) {
      for await (const keys of this.#pages(this._keys(span, false, selection))) {
        yield keys.filter((key) => isInShare(selection.share, key))
      }
    }
  }

  readFolder(prefix: Key, shelf: Shelf): ShelvedFolder | undefined {
    this.#life.assertOpen()
    return this._readFolder(prefix, shelf)
  }

  readTexts(keys: readonly string[]): Promise<readonly (TextEntry | undefined)[]> {
    return this.#life.run(async () => {
      const entries = await this._readMany(keys)
      return entries.map((entry) => entry && this.#toExchange(entry))
    })
  }

  addTexts(records: readonly TextRecord[]): Promise<readonly (TextEntry | undefined)[]> {
    return this.#change(async () => {
      const stored = records.map((record) => this.#fromExchange(record))
      const present = await this.#alone(stored, () => this._add(stored))
      return present.map((entry) => entry && this.#toExchange(entry))
    })
  }

  writeTexts(records: readonly TextRecord[]): Promise<void> {
    return this.#change(async () => {
      const operations = records.map((record) => {
        const { key, text } = this.#fromExchange(record)
        return { type: "write", key, text } as const
      })
      await this.#alone(operations, () => this._batch(operations))
    })
  }

  check(): Promise<readonly string[]> {
    return this.#life.run(() => this._check())
  }

  flush(): Promise<void> {
    return this.#life.run(() => this._flush())
  }

  close(): Promise<void> {
    return this.#life.end(() => this._close())
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #change<T>(action: () => Promise<T>): Promise<T> {
    return this.#life.run(() => {
      if (this.#readonly) throw new StorageError("READONLY", "The store was opened for reading only")
      return action()
    })
  }

  #readText(key: string): Promise<string | undefined> {
    const locks = this.#locks
    if (locks === undefined || (this.#readsInOneStep && locks.isFree(key))) return this._read(key)
    return locks.shared(key, () => this._read(key))
  }

  /** Runs an action while nobody else does anything to its records. */
  #alone<T>(records: readonly { readonly key: string }[], action: () => Promise<T>): Promise<T> {
    return this.#locks === undefined ? action() : this.#locks.exclusiveAll(sortedKeys(records), action)
  }

  /** Begins at the first step. In one generator: each further one would cost a record as much as its checksum. */
  async *#decoded<T>(begin: () => Iteration): AsyncGenerator<Entry<T>, void, void> {
    this.#life.assertOpen()
    const { pages, limit, onCorrupt } = begin()
    const locate = (encoded: string) => this._locate(encoded)
    if (limit === 0) return
    let count = 0
    for await (const page of this.#pages(pages)) {
      for (const entry of page) {
        const key = decodeKey(entry.key)
        const decoded = tryDecode<T>(entry, key, locate)
        if ("value" in decoded) {
          yield { key, value: decoded.value }
          if (++count >= limit) return
          this.#life.assertOpen()
        } else if (onCorrupt !== undefined) onCorrupt(decoded.error)
        else throw decoded.error
      }
    }
  }

  /** Each page is one step that closing waits for; empty ones are left out. */
  async *#pages<T>(pages: AsyncIterable<readonly T[]>): AsyncGenerator<readonly T[], void, void> {
    const iterator = pages[Symbol.asyncIterator]()
    try {
      for (;;) {
        const page = await this.#life.run(() => nextPage(iterator))
        if (page.done) return
        yield page.value
      }
    } finally {
      await iterator.return?.()
    }
  }

  #selectTexts(options: TextScanOptions): Selection & { readonly share: Share } {
    checkOptions("scanTexts", options, textScanShape)
    const { prefixes = [[]], share = { index: 0, count: 1 }, ...wishes } = options
    return { ...select(prefixes, {}, this.capabilities.snapshots), share, ...wishes }
  }

  async #tryRead(key: string): Promise<TextEntry | undefined> {
    try {
      const text = await this._read(key)
      return text === undefined ? undefined : { key, text }
    } catch (error) {
      if (StorageError.is(error)) return { key, error }
      throw error
    }
  }

  // Indented stores are opencode's own, whose texts are the measure.
  #toExchange(entry: TextEntry): TextEntry {
    if (this.#indent !== undefined || "error" in entry || isKeptAsItIs(entry.utf8)) return entry
    return { key: entry.key, text: exchangeFromStored(entry.text) }
  }

  #fromExchange(record: TextRecord): TextRecord {
    if (this.#indent !== undefined || isKeptAsItIs(record.utf8)) return record
    return { key: record.key, text: storedFromExchange(record.text) }
  }
}

// Locks need some order that is always the same; the engine's own is the fastest.
function sortedKeys(records: readonly { readonly key: string }[]): string[] {
  return [...new Set(records.map(({ key }) => key))].sort()
}
