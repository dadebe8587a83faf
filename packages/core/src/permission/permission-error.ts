import { CodedError } from "../error/coded-error.js"

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

/**
 * Something that is not permitted. The message is fit for a model: it names the permission, never what it was wanted
 * for, and what the person said.
 */
export class PermissionError extends CodedError<PermissionErrorCode> {
  static override readonly type = "PermissionError"
  /** What the person who said no wants instead. */
  readonly feedback: string | undefined

  constructor(code: PermissionErrorCode, message: string, feedback?: string) {
    super(code, message)
    this.feedback = feedback
  }
}
