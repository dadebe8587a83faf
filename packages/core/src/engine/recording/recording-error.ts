import { CodedError } from "../../error/coded-error.js"

/**
 * Why a recording does not serve:
 *
 * | code | meaning |
 * |---|---|
 * | `EXHAUSTED` | the run asks for more than was recorded |
 * | `MISMATCH` | the run asks for something else than was recorded |
 */
export type RecordingErrorCode = "EXHAUSTED" | "MISMATCH"

/** A request that a recording has no answer to. The message says which, and quotes nothing of it. */
export class RecordingError extends CodedError<RecordingErrorCode> {
  static override readonly type = "RecordingError"
}
