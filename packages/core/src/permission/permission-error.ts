/**
 * Why something may not be done, or a reply was refused:
 *
 * | code | meaning |
 * |---|---|
 * | `DENIED` | a rule or a plugin denies it |
 * | `REJECTED` | a person said no, to this or to another question of the session |
 * | `WITHDRAWN` | the question was taken back before anybody answered |
 * | `NOT_FOUND` | the request that was replied to is not pending |
 */
export type PermissionErrorCode = "DENIED" | "REJECTED" | "WITHDRAWN" | "NOT_FOUND"

const marker = Symbol.for("sessile.PermissionError")

/**
 * Something that is not permitted. The message is fit for a model: it names the permission, never what it was wanted
 * for, and what the person said.
 */
export class PermissionError extends Error {
  override readonly name = "PermissionError"
  readonly code: PermissionErrorCode
  /** What the person who said no wants instead. */
  readonly feedback: string | undefined

  constructor(code: PermissionErrorCode, message: string, feedback?: string) {
    super(message)
    this.code = code
    this.feedback = feedback
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown, code?: PermissionErrorCode): error is PermissionError {
    if (typeof error !== "object" || error === null || !(marker in error)) return false
    return code === undefined || (error as { code?: unknown }).code === code
  }
}
