import { encodeKey, type Key, validateKey } from "./key.js"
import { invalidArgument } from "./refusals.js"
import type { Operation } from "./storage.js"
import type { TextOperation } from "./text-entry.js"
import { encodeValue } from "./value.js"

/** One step of a batch as an adapter gets it; refuses what is no valid operation. */
export function encodeOperation(operation: Operation, indent: number | undefined): TextOperation {
  if (typeof operation !== "object" || operation === null)
    throw invalidArgument("A batch operation is an object")
  const key = validEncodedKey(operation.key)
  if (operation.type === "remove") return { type: "remove", key }
  if (operation.type === "write") {
    return { type: "write", key, text: encodeValue(operation.value, operation.key, indent) }
  }
  throw invalidArgument(`A batch operation is a "write" or a "remove"`)
}

export function validEncodedKey(key: Key): string {
  validateKey(key)
  return encodeKey(key)
}
