// A small adapter that implements the storage contract itself: all records in one JSON file, in no good order.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { compareKeys, isBelow, StorageError } from "@sessile/core/storage"

export function openStorage(path, { readonly }) {
  if (readonly && !existsSync(path)) throw new StorageError("NOT_FOUND", "There is no store here", { path })
  return new FileStorage(path)
}

class FileStorage {
  capabilities = { durable: true, atomicBatch: true, multiProcess: false, snapshots: false, checksums: false }
  #path
  #records

  constructor(path) {
    this.#path = path
    this.#records = new Map(existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [])
  }

  async read(key) {
    const text = this.#records.get(JSON.stringify(key))
    if (text === undefined) throw new StorageError("NOT_FOUND", "There is no record", { key })
    return JSON.parse(text)
  }

  async write(key, value) {
    await this.batch([{ type: "write", key, value }])
  }

  async update(key, edit) {
    const draft = await this.read(key)
    edit(draft)
    await this.write(key, draft)
    return draft
  }

  async remove(key) {
    await this.batch([{ type: "remove", key }])
  }

  async list(prefix) {
    const keys = [...this.#records.keys()].map((key) => JSON.parse(key))
    return keys.filter((key) => isBelow(prefix, key)).sort(compareKeys)
  }

  scan(prefix) {
    return this.scanMany([prefix])
  }

  async *scanMany(prefixes) {
    for (const prefix of prefixes) {
      for (const key of await this.list(prefix)) yield { key, value: await this.read(key) }
    }
  }

  find(index) {
    throw new StorageError("UNSUPPORTED", `There is no index ${index}`)
  }

  async batch(operations) {
    for (const { type, key, value } of operations) {
      if (type === "write") this.#records.set(JSON.stringify(key), JSON.stringify(value))
      else this.#records.delete(JSON.stringify(key))
    }
    writeFileSync(this.#path, JSON.stringify([...this.#records]))
  }

  async close() {
    // Every change has been written.
  }

  [Symbol.asyncDispose]() {
    return this.close()
  }
}
