import { CodedError } from "../error/coded-error.js"

/**
 * Why an operation on sessions was refused:
 *
 * | code | meaning |
 * |---|---|
 * | `NOT_FOUND` | no such session, message of that session, or part of that message |
 * | `EXISTS` | the id that was given is taken |
 * | `CYCLE` | a session would become its own ancestor |
 * | `IMMUTABLE` | an edit changed what a record is known by |
 * | `INVALID_RECORD` | fields are missing, unknown or of the wrong type |
 * | `INVALID_TRANSITION` | a tool call cannot take this step |
 * | `INVALID_CURSOR` | the cursor was not made by `page` |
 * | `ENDED` | the writer of a part takes no more text |
 * | `SHARE_FAILED` | the share service failed |
 * | `UNSUPPORTED` | what it takes was not given to the constructor, or was disabled there |
 */
export type SessionErrorCode =
  | "NOT_FOUND"
  | "EXISTS"
  | "CYCLE"
  | "IMMUTABLE"
  | "INVALID_RECORD"
  | "INVALID_TRANSITION"
  | "INVALID_CURSOR"
  | "ENDED"
  | "SHARE_FAILED"
  | "UNSUPPORTED"

/**
 * An operation that was refused; nothing has changed. The message names ids and fields, never contents, which may be
 * secret.
 *
 * @example
 * ```ts
 * const session = await sessions.get(id).catch((error) => {
 *   if (SessionError.is(error, "NOT_FOUND")) return undefined
 *   throw error
 * })
 * ```
 */
export class SessionError extends CodedError<SessionErrorCode> {
  static override readonly type = "SessionError"
}
