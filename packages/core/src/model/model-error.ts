import type { z } from "zod"

/** One thing wrong with a record: where, and what. It never holds the value, which may be a secret. */
export interface ModelIssue {
  readonly path: readonly PropertyKey[]
  readonly problem: string
}

/**
 * Fields that do not make the model they were meant for. The message names every offending field and no
 * value; `issues` lists them for programs.
 */
export class ModelError extends Error {
  override readonly name = "ModelError"
  readonly code = "INVALID_MODEL"
  readonly model: string
  readonly issues: readonly ModelIssue[]

  constructor(model: string, issues: readonly ModelIssue[]) {
    super(`Invalid ${model}: ${issues.map(describe).join("; ")}`)
    this.model = model
    this.issues = issues
  }
}

/** Restates what zod found, with an issue of its own for each unknown field. */
export function toModelIssues(error: z.ZodError): ModelIssue[] {
  return error.issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((key) => ({ path: [...issue.path, key], problem: "unknown field" }))
      : [{ path: issue.path, problem: issue.message }],
  )
}

function describe({ path, problem }: ModelIssue): string {
  return path.length === 0 ? problem : `${path.map(String).join(".")}: ${problem}`
}
