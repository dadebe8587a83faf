import { encodeKey, encodeValue, type Key, StorageError } from "@sessile/core/storage"
import type { BrokenAdapter } from "./broken-adapter.js"
import { fault } from "./fault.js"
import { recordExists } from "./record-exists.js"

const refusals = [
  "read-write/refuses-other-types",
  "read-write/refuses-infinite-numbers",
  "read-write/refuses-class-instances",
  "read-write/refuses-gaps-in-arrays",
  "read-write/refuses-cycles-and-depth",
]

/** Faults in what becomes of values. */
export const brokenValues: readonly BrokenAdapter[] = [
  partFault("empty values become null", ["read-write/falsy-values"], (value) => value || null),
  partFault("numbers have 15 digits", ["read-write/numbers"], (value) =>
    typeof value === "number" ? Number(value.toPrecision(15)) : value,
  ),
  partFault("integers have 32 bits", ["read-write/numbers"], (value) =>
    Number.isInteger(value) ? Number(value) | 0 : value,
  ),
  partFault("lone surrogates become replacement characters", ["read-write/strings"], (value) =>
    typeof value === "string" ? value.toWellFormed() : value,
  ),
  partFault("control characters are left out", ["read-write/strings"], (value) =>
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the fault is about
    typeof value === "string" ? value.replace(/[\0-\x1f]/g, "") : value,
  ),
  partFault("strings are normalised", ["read-write/strings"], (value) =>
    typeof value === "string" ? value.normalize() : value,
  ),
  partFault("properties are sorted", ["read-write/property-order"], (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).sort()) : value,
  ),
  partFault("objects are copied by assignment", ["read-write/odd-property-names"], (value) => {
    const copy: Record<string, unknown> = {}
    if (!isObject(value)) return value
    for (const [name, property] of Object.entries(value)) copy[name] = property
    return copy
  }),
  partFault("properties without a name are left out", ["read-write/odd-property-names"], (value) =>
    isObject(value) ? Object.fromEntries(Object.entries(value).filter(([name]) => name !== "")) : value,
  ),
  partFault("arrays are sets", ["read-write/arrays"], (value) =>
    Array.isArray(value) ? [...new Set(value)] : value,
  ),
  partFault("what has a length is an array", ["read-write/arrays"], (value) =>
    isObject(value) && "length" in value ? Array.from(value as never) : value,
  ),
  partFault("long strings are cut", ["read-write/large-value"], (value) =>
    typeof value === "string" ? value.slice(0, 2 ** 20) : value,
  ),
  valueFault("undefined properties become null", ["read-write/undefined-properties-left-out"], (value) =>
    JSON.parse(JSON.stringify(value, (_, property) => property ?? null)),
  ),
  valueFault("values go through JSON.stringify unchecked", refusals, (value) =>
    JSON.parse(JSON.stringify(value) ?? "null"),
  ),
  fault(
    "reads are answered with a clone of what was written",
    ["read-write/minus-zero", "read-write/undefined-properties-left-out"],
    (sound) => {
      const cache = new Map<string, unknown>()
      return {
        read: async (key) => structuredClone(cache.get(encodeKey(key))) as never,
        write: async (key, value) => {
          await sound.write(key, value)
          cache.set(encodeKey(key), structuredClone(value))
        },
      }
    },
  ),
  valueFault("an undefined property is refused", ["read-write/undefined-properties-left-out"], (value) => {
    if (contains(value, undefined)) throw invalid("undefined is not JSON")
    return value
  }),
  valueFault(
    "an object that was seen before counts as a cycle",
    ["read-write/shared-references"],
    (value) => {
      const seen = new Set<unknown>()
      JSON.stringify(value, (_, part) => {
        if (isObject(part) && seen.has(part)) throw invalid("The value contains itself")
        seen.add(part)
        return part
      })
      return value
    },
  ),
  valueFault("a record has no room for more than a megabyte", ["read-write/large-value"], (value) => {
    if ((JSON.stringify(value)?.length ?? 0) > 2 ** 20)
      throw new StorageError("FULL", "The value is too large")
    return value
  }),
  valueFault("values nest 512 levels deep", ["read-write/deep-nesting"], (value) => {
    if (/[[{]{512}/.test(JSON.stringify(value).replace(/"value":/g, ""))) throw invalid("It nests too deep")
    return value
  }),
  fault("the old record goes before the new value is checked", refusals, (sound) => ({
    write: async (key, value) => {
      await sound.remove(key)
      await sound.write(key, value)
    },
  })),
  fault("an invalid value leaves an empty record", refusals, (sound) => ({
    write: async (key, value) => {
      if (!(await recordExists(sound, key))) await sound.write(key, null)
      await sound.write(key, value)
    },
  })),
  fault("the error for an invalid value quotes it", ["read-write/errors-keep-secrets"], (sound) => ({
    write: async (key, value) => {
      checkAloud(value, key)
      await sound.write(key, value)
    },
  })),
  fault(
    "the error of a batch carries the operations as its cause",
    ["read-write/errors-keep-secrets"],
    (sound) => ({
      batch: (operations, options) =>
        sound.batch(operations, options).catch((error: StorageError) => {
          throw new StorageError(error.code, error.message, { cause: { operations } })
        }),
    }),
  ),
]

/** A fault by which the store gets other values than it was called with. */
function valueFault(
  name: string,
  caughtBy: readonly string[],
  change: (value: unknown) => unknown,
): BrokenAdapter {
  return fault(name, caughtBy, (sound) => ({
    write: async (key, value) => sound.write(key, change(value)),
    batch: async (operations, options) =>
      sound.batch(
        operations.map((operation) =>
          operation.type === "write" ? { ...operation, value: change(operation.value) } : operation,
        ),
        options,
      ),
  }))
}

/** A fault that changes every part of a value by itself, inner parts first. */
function partFault(
  name: string,
  caughtBy: readonly string[],
  change: (part: unknown) => unknown,
): BrokenAdapter {
  return valueFault(name, caughtBy, (value) => JSON.parse(JSON.stringify(value), (_, part) => change(part)))
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}

function contains(value: unknown, wanted: unknown): boolean {
  if (value === wanted) return true
  return (
    typeof value === "object" && value !== null && Object.values(value).some((part) => contains(part, wanted))
  )
}

function checkAloud(value: unknown, key: Key): void {
  try {
    encodeValue(value, key)
  } catch (error) {
    const token = (value as { token?: unknown }).token
    throw new StorageError("INVALID_VALUE", `${(error as Error).message}: ${String(token)}`, { key })
  }
}

function invalid(reason: string): StorageError {
  return new StorageError("INVALID_VALUE", reason)
}
