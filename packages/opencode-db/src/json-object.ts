/** An object of JSON, whatever it holds. */
export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

/** An object without some of its fields. */
export function without(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)))
}

/** What an object holds at a path; `undefined` where the path ends early. */
export function at(value: unknown, path: readonly string[]): unknown {
  let found = value
  for (const name of path) found = isObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  return found
}

export function finiteNumber(value: unknown): number | undefined {
  return Number.isFinite(value) ? (value as number) : undefined
}
