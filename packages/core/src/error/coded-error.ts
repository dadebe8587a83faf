import { MarkedError } from "./marked-error.js"

/** An error whose code says what kind of thing went wrong. */
export abstract class CodedError<Code extends string> extends MarkedError {
  readonly code: Code

  constructor(code: Code, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}
