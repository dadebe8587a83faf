import { MarkedError } from "../error/marked-error.js"

/** Nothing in the environment tells where opencode keeps its data. The message names the variables to set. */
export class DataFolderError extends MarkedError {
  static override readonly type = "DataFolderError"

  constructor(variables: string) {
    super(`Cannot tell where opencode keeps its data: set ${variables}`)
  }
}
