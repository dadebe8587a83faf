/**
 * Why a recording does not serve:
 *
 * | code | meaning |
 * |---|---|
 * | `EXHAUSTED` | the run asks for more than was recorded |
 * | `MISMATCH` | the run asks for something else than was recorded |
 */
export type RecordingErrorCode = "EXHAUSTED" | "MISMATCH"

const marker = Symbol.for("sessile.RecordingError")

/** A request that a recording has no answer to. The message says which, and quotes nothing of it. */
export class RecordingError extends Error {
  override readonly name = "RecordingError"
  readonly code: RecordingErrorCode

  constructor(code: RecordingErrorCode, message: string) {
    super(message)
    this.code = code
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown, code?: RecordingErrorCode): error is RecordingError {
    if (typeof error !== "object" || error === null || !(marker in error)) return false
    return code === undefined || (error as { code?: unknown }).code === code
  }
}
