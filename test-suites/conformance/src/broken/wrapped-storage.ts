import type {
  BatchOptions,
  Capabilities,
  Entry,
  IndexQuery,
  Key,
  Operation,
  Range,
  ScanOptions,
  Storage,
} from "@sessile/core/storage"

/** A store that passes everything on to another one. Broken adapters override what they break. */
export class WrappedStorage implements Storage {
  protected readonly inner: Storage

  constructor(inner: Storage) {
    this.inner = inner
  }

  get capabilities(): Capabilities {
    return this.inner.capabilities
  }

  read<T>(key: Key): Promise<T> {
    return this.inner.read(key)
  }

  write<T>(key: Key, value: T): Promise<void> {
    return this.inner.write(key, value)
  }

  update<T>(key: Key, edit: (draft: T) => void): Promise<T> {
    return this.inner.update(key, edit)
  }

  remove(key: Key): Promise<void> {
    return this.inner.remove(key)
  }

  list(prefix: Key, range?: Range): Promise<Key[]> {
    return this.inner.list(prefix, range)
  }

  scan<T>(prefix: Key, options?: ScanOptions): AsyncIterable<Entry<T>> {
    return this.inner.scan(prefix, options)
  }

  scanMany<T>(prefixes: readonly Key[], options?: ScanOptions): AsyncIterable<Entry<T>> {
    return this.inner.scanMany(prefixes, options)
  }

  find<T>(index: string, query?: IndexQuery): AsyncIterable<Entry<T>> {
    return this.inner.find(index, query)
  }

  batch(operations: readonly Operation[], options?: BatchOptions): Promise<void> {
    return this.inner.batch(operations, options)
  }

  close(): Promise<void> {
    return this.inner.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
