import { MarkedError } from "../error/marked-error.js"

/** An identifier is not what was expected, or a generator was given a clock or randomness that it cannot use. */
export class IdentifierError extends MarkedError {
  static override readonly type = "IdentifierError"
}
