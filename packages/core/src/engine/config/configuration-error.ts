import { MarkedError } from "../../error/marked-error.js"

/** One thing wrong with a configuration, and where; lines and columns count from 1. */
export interface ConfigurationProblem {
  readonly line: number
  readonly column: number
  readonly reason: string
}

/**
 * A configuration that cannot be used. The message names the source, and of each problem line, column and reason,
 * never a value, which may be a secret.
 */
export class ConfigurationError extends MarkedError {
  static override readonly type = "ConfigurationError"
  /** The path of the file, or the name of whatever else the text came from. */
  readonly source: string
  readonly problems: readonly ConfigurationProblem[]

  constructor(source: string, problems: readonly ConfigurationProblem[], options?: ErrorOptions) {
    super(problems.map((problem) => describe(source, problem)).join("\n"), options)
    this.source = source
    this.problems = problems
  }
}

function describe(source: string, { line, column, reason }: ConfigurationProblem): string {
  return `${source}:${line}:${column}: ${reason}`
}
