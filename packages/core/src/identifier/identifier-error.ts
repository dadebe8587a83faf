const marker = Symbol.for("sessile.IdentifierError")

/** An identifier is not what was expected, or a generator was given a clock or randomness that it cannot use. */
export class IdentifierError extends Error {
  override readonly name = "IdentifierError"

  constructor(message: string) {
    super(message)
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises identifier errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown): error is IdentifierError {
    return typeof error === "object" && error !== null && marker in error
  }
}
