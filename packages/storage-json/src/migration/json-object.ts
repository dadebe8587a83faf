/** A JSON object of which nothing is known yet. */
export type JsonObject = Record<string, unknown>

/** The JSON object in a file, or `undefined` when it holds anything else. */
export function parseObject(content: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(content))
    return isObject(value) ? value : undefined
  } catch (error) {
    // SyntaxError: not JSON; TypeError: not UTF-8.
    if (error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** A field of an object within an object, if it is there. */
export function field(object: JsonObject | undefined, outer: string, inner: string): unknown {
  const value = object?.[outer]
  return isObject(value) ? value[inner] : undefined
}

/** Whether a value is a JSON object. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
