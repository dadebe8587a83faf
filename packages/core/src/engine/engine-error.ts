import { CodedError } from "../error/coded-error.js"

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
export class EngineError extends CodedError<EngineErrorCode> {
  static override readonly type = "EngineError"
}
