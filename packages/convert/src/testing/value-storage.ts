import { MemoryStorage, type Storage } from "@sessile/core/storage"

/** A store that implements the contract directly, and so knows values only. */
export function valueStorage(): Storage {
  const memory = new MemoryStorage()
  return {
    capabilities: memory.capabilities,
    read: (key) => memory.read(key),
    write: (key, value) => memory.write(key, value),
    update: (key, edit) => memory.update(key, edit),
    remove: (key) => memory.remove(key),
    list: (prefix, range) => memory.list(prefix, range),
    scan: (prefix, options) => memory.scan(prefix, options),
    scanMany: (prefixes, options) => memory.scanMany(prefixes, options),
    find: (index, query) => memory.find(index, query),
    batch: (operations, options) => memory.batch(operations, options),
    close: () => memory.close(),
    [Symbol.asyncDispose]: () => memory.close(),
  }
}
