const marker = Symbol.for("sessile.DataFolderError")

/** Nothing in the environment tells where opencode keeps its data. The message names the variables to set. */
export class DataFolderError extends Error {
  override readonly name = "DataFolderError"

  constructor(variables: string) {
    super(`Cannot tell where opencode keeps its data: set ${variables}`)
    Object.defineProperty(this, marker, { value: true })
  }

  /** Recognises these errors by a marker, so that two copies of this package understand each other. */
  static is(error: unknown): error is DataFolderError {
    return typeof error === "object" && error !== null && marker in error
  }
}
