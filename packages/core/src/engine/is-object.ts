import type { JsonObject } from "../model/primitives.js"

/** Whether a value is an object such as tools take, and no array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
