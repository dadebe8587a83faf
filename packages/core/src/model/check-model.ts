import type { z } from "zod"
import { ModelError, toModelIssues } from "./model-error.js"

/**
 * Checks that `value` is of a model and returns `value` itself, every field in its place. `Model.parse`
 * returns a copy with the known fields moved to the front, and without a field called `__proto__`: what is
 * written back must come from here.
 *
 * @throws {ModelError} naming the fields that do not fit.
 *
 * @example
 * ```ts
 * const session = checkModel(Session, await storage.read(["session", projectID, sessionID]))
 * ```
 */
export function checkModel<T>(model: z.ZodType<T, T>, value: unknown): T {
  const result = model.safeParse(value)
  if (!result.success) throw new ModelError("record", toModelIssues(result.error))
  // No model transforms its input or fills in defaults, so what parsed is already of the output type.
  return value as T
}
