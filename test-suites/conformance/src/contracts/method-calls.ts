import type { Key, Storage } from "@sessile/core/storage"
import { gather } from "../assertions.js"

/** A method that takes a key or a prefix, and how to call it to the end. */
export interface MethodCall {
  readonly method: string
  readonly call: (storage: Storage, key: Key) => Promise<unknown>
}

/** The methods that take the key of a record. */
export const keyCalls: readonly MethodCall[] = [
  { method: "read", call: (storage, key) => storage.read(key) },
  { method: "write", call: (storage, key) => storage.write(key, "written") },
  { method: "update", call: (storage, key) => storage.update(key, () => undefined) },
  { method: "remove", call: (storage, key) => storage.remove(key) },
  { method: "batch", call: (storage, key) => storage.batch([{ type: "write", key, value: "written" }]) },
]

/** The methods that take a prefix. */
export const prefixCalls: readonly MethodCall[] = [
  { method: "list", call: (storage, prefix) => storage.list(prefix) },
  { method: "scan", call: (storage, prefix) => gather(storage.scan(prefix)) },
  { method: "scanMany", call: (storage, prefix) => gather(storage.scanMany([["other"], prefix])) },
]
