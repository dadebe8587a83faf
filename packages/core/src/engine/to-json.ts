/** Deeper than tools and models write; together with what is around it, a store keeps far more. */
export const DEEPEST_VALUE = 200

/** How many values may lie in one: objects that share others can stand for more than memory holds. */
const MOST_VALUES = 1_000_000

/**
 * A value as JSON can hold it: dates and big integers become texts, maps objects, sets arrays, numbers that JSON does
 * not have `null`. What cannot be read, contains itself or lies too deep becomes a text that says so. It never throws.
 */
export function toJson(value: unknown): unknown {
  return convert(value, [], { left: MOST_VALUES })
}

/** Like {@link toJson}, for what must be an object; anything else becomes an empty one. */
export function toJsonObject(value: unknown): Record<string, unknown> {
  const converted = toJson(value)
  const isObject = typeof converted === "object" && converted !== null && !Array.isArray(converted)
  return isObject ? (converted as Record<string, unknown>) : {}
}

/** Whether arrays and objects lie in each other more than {@link DEEPEST_VALUE} times. */
export function isTooDeep(value: unknown, levels = DEEPEST_VALUE): boolean {
  if (typeof value !== "object" || value === null) return false
  return levels === 0 || Object.values(value).some((each) => isTooDeep(each, levels - 1))
}

interface Budget {
  left: number
}

function convert(value: unknown, around: readonly object[], budget: Budget): unknown {
  if (typeof value === "bigint") return String(value)
  if (typeof value === "number") return Number.isFinite(value) ? value : null
  if (typeof value === "function" || typeof value === "symbol") return undefined
  if (typeof value !== "object" || value === null) return value
  if (around.includes(value)) return "[contains itself]"
  if (around.length === DEEPEST_VALUE) return "[too deep]"
  if (budget.left-- <= 0) return "[too much]"
  try {
    return convertObject(value, [...around, value], budget)
  } catch {
    // A getter or a proxy of somebody else: nothing is known of what it throws.
    return "[cannot be read]"
  }
}

function convertObject(value: object, around: readonly object[], budget: Budget): unknown {
  const inner = (each: unknown) => convert(each, around, budget)
  if (Array.isArray(value)) return Array.from(value, (each) => inner(each) ?? null)
  if (value instanceof Set) return [...value].map((each) => inner(each) ?? null)
  if (value instanceof Map) return fromEntries([...value].map(([key, each]) => [String(key), inner(each)]))
  if (value instanceof Error) return { name: value.name, message: value.message }
  if ("toJSON" in value && typeof value.toJSON === "function") return inner(value.toJSON())
  return fromEntries(Object.keys(value).map((key) => [key, readProperty(value, key, inner)]))
}

function readProperty(object: object, key: string, convert: (value: unknown) => unknown): unknown {
  try {
    return convert((object as Record<string, unknown>)[key])
  } catch {
    // As above; the other properties are still worth something.
    return "[cannot be read]"
  }
}

function fromEntries(entries: readonly (readonly [string, unknown])[]): Record<string, unknown> {
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
