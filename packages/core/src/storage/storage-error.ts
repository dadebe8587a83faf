import { CodedError } from "../error/coded-error.js"
import type { Key } from "./key.js"

/**
 * Why a storage operation failed:
 *
 * | code | meaning |
 * |---|---|
 * | `NOT_FOUND` | no record under this key, or nothing to open at this place |
 * | `INVALID_KEY` | the key cannot name a record in this store |
 * | `INVALID_VALUE` | the value is not JSON |
 * | `INVALID_ARGUMENT` | an option, range, query or editor that makes no sense |
 * | `CORRUPT` | what is stored cannot be understood; nothing was changed |
 * | `LOCKED` | somebody else holds the store or the record |
 * | `CLOSED` | the store was closed |
 * | `READONLY` | the store was opened for reading, or its medium is read-only |
 * | `UNSUPPORTED` | the store does not declare the ability that was asked for |
 * | `FULL` | no space left |
 * | `DENIED` | the operating system refuses access |
 * | `IO` | any other failure of the medium; the cause says which |
 */
export type StorageErrorCode =
  | "NOT_FOUND"
  | "INVALID_KEY"
  | "INVALID_VALUE"
  | "INVALID_ARGUMENT"
  | "CORRUPT"
  | "LOCKED"
  | "CLOSED"
  | "READONLY"
  | "UNSUPPORTED"
  | "FULL"
  | "DENIED"
  | "IO"

/** What a {@link StorageError} carries beside its message. */
export interface StorageErrorDetails {
  readonly key?: Key | undefined
  readonly path?: string | undefined
  readonly cause?: unknown
}

/**
 * The one error that a store rejects with. Its message says what failed, for which key or path, and what to
 * do; it never contains stored content, which may be secret.
 *
 * @example
 * ```ts
 * const session = await storage.read(key).catch((error) => {
 *   if (StorageError.is(error, "NOT_FOUND")) return undefined
 *   throw error
 * })
 * ```
 */
export class StorageError extends CodedError<StorageErrorCode> {
  static override readonly type = "StorageError"
  readonly key: Key | undefined
  readonly path: string | undefined

  constructor(code: StorageErrorCode, message: string, details: StorageErrorDetails = {}) {
    const { key, path, cause } = details
    super(code, describe(message, details), cause === undefined ? undefined : { cause })
    this.key = key
    this.path = path
  }
}

function describe(message: string, details: StorageErrorDetails): string {
  const key = details.key === undefined ? "" : ` [${details.key.join("/")}]`
  const path = details.path === undefined ? "" : ` (${details.path})`
  return `${message}${key}${path}`
}
