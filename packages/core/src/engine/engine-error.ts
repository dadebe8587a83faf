/**
 * Why the engine refused or gave up:
 *
 * | code | meaning |
 * |---|---|
 * | `BUSY` | the session is being worked on, and this cannot wait in line |
 * | `NOT_FOUND` | no such agent or tool |
 * | `ABORTED` | the run was cancelled before it came to this |
 * | `INVALID_PROMPT` | a prompt that cannot be taken as it is |
 * | `CLOSED` | the engine was closed |
 */
export type EngineErrorCode = "BUSY" | "NOT_FOUND" | "ABORTED" | "INVALID_PROMPT" | "CLOSED"

const marker = Symbol.for("sessile.EngineError")

/**
 * Something that the engine was asked for and did not do. What goes wrong between the engine and a model is no such
 * error: it is stored in the answer.
 *
 * @example
 * ```ts
 * await engine.compact(sessionID).catch((error) => {
 *   if (!EngineError.is(error, "BUSY")) throw error
 * })
 * ```
 */
export class EngineError extends Error {
  override readonly name = "EngineError"
  readonly code: EngineErrorCode

  constructor(code: EngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown, code?: EngineErrorCode): error is EngineError {
    if (typeof error !== "object" || error === null || !(marker in error)) return false
    return code === undefined || (error as { code?: unknown }).code === code
  }
}
