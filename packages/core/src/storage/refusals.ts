import type { IndexDefinition } from "./index-definition.js"
import type { Key } from "./key.js"
import type { Capabilities } from "./storage.js"
import { StorageError } from "./storage-error.js"

export function refusePromise(result: unknown, key: Key): void {
  if (typeof result !== "object" || result === null || !("then" in result)) return
  // The caller hears of the misuse; what the promise comes to is of no consequence any more.
  Promise.resolve(result).catch(() => undefined)
  throw invalidArgument("An editor must not be asynchronous: prepare what it needs before", key)
}

export function invalidArgument(problem: string, key?: Key): StorageError {
  return new StorageError("INVALID_ARGUMENT", problem, { key })
}

export function notFound(key: Key): StorageError {
  return new StorageError("NOT_FOUND", "There is no record under this key", { key })
}

export function unsupported(wanted: string, capability: keyof Capabilities): StorageError {
  return new StorageError(
    "UNSUPPORTED",
    `This store cannot give ${wanted}; check capabilities.${capability} first`,
  )
}

export function undeclaredIndex(name: string, declared: readonly IndexDefinition[]): StorageError {
  const known = declared.map((definition) => definition.name).join(", ") || "none"
  return new StorageError("UNSUPPORTED", `The store declares no index "${name}"; declared are: ${known}`)
}
