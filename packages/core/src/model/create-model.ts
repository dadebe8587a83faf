import type { z } from "zod"
import { ModelError, toModelIssues } from "./model-error.js"

/**
 * Makes a record of a strict model: a deep copy of `fields` in the model's order of keys, without those
 * that are undefined.
 *
 * @throws {ModelError} naming missing, unknown and ill-typed fields.
 */
export function createModel<T>(name: string, model: z.ZodType<T>, fields: unknown): T {
  const result = model.safeParse(withoutUndefined(fields))
  if (!result.success) throw new ModelError(name, toModelIssues(result.error))
  return result.data
}

function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined)
  if (!isPlainObject(value)) return value
  const defined = Object.entries(value).filter(([, field]) => field !== undefined)
  return Object.fromEntries(defined.map(([key, field]) => [key, withoutUndefined(field)]))
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== "object" || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
