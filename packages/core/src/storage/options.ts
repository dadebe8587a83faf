import { StorageError } from "./storage-error.js"

type Kind =
  | "string"
  | "boolean"
  | "function"
  | "object"
  | "key"
  | "count"
  | "number"
  | "array"
  | "any"
  | readonly string[]

/** What each option must be; a trailing `?` makes it optional, a list of strings names the choices. */
export type OptionShape = Readonly<
  Record<string, Kind | `${Exclude<Kind, readonly string[]>}?` | readonly string[]>
>

/**
 * Refuses misspelt, missing and ill-typed options at once, naming the likely spelling.
 *
 * @throws StorageError `INVALID_ARGUMENT`
 *
 * @example
 * ```ts
 * checkOptions("JsonStorage", options, { path: "string", readonly: "boolean?" })
 * ```
 */
export function checkOptions(owner: string, options: unknown, shape: OptionShape): void {
  if (typeof options !== "object" || options === null || Array.isArray(options)) {
    throw new StorageError("INVALID_ARGUMENT", `${owner}: options must be an object`)
  }
  for (const name of Object.keys(options)) {
    if (Object.hasOwn(shape, name)) continue
    const likely = closest(name, Object.keys(shape))
    const advice = likely ? `did you mean "${likely}"?` : `known are ${Object.keys(shape).join(", ")}`
    throw new StorageError("INVALID_ARGUMENT", `${owner}: unknown option "${name}"; ${advice}`)
  }
  for (const [name, expected] of Object.entries(shape)) {
    checkOption(owner, name, (options as Record<string, unknown>)[name], expected)
  }
}

function checkOption(owner: string, name: string, value: unknown, expected: OptionShape[string]): void {
  if (Array.isArray(expected)) {
    if (value === undefined || expected.includes(value as string)) return
    const choices = expected.map((choice) => `"${choice}"`).join(" or ")
    throw new StorageError("INVALID_ARGUMENT", `${owner}: option "${name}" must be ${choices}`)
  }
  const optional = (expected as string).endsWith("?")
  if (value === undefined && optional) return
  const kind = optional ? (expected as string).slice(0, -1) : (expected as string)
  if (isOfKind(value, kind)) return
  const article = /^[aeiou]/.test(kind) ? "an" : "a"
  throw new StorageError("INVALID_ARGUMENT", `${owner}: option "${name}" must be ${article} ${kind}`)
}

function isOfKind(value: unknown, kind: string): boolean {
  if (kind === "any") return true
  if (kind === "key" || kind === "array") return Array.isArray(value)
  if (kind === "count") return Number.isInteger(value) && (value as number) >= 0
  if (kind === "string") return typeof value === "string" && value !== ""
  if (kind === "object") return typeof value === "object" && value !== null
  return typeof value === kind
}

function closest(name: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance }) => distance <= Math.max(2, candidate.length / 3))
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = (previous[column - 1] as number) + (a[row - 1] === b[column - 1] ? 0 : 1)
      current[column] = Math.min(
        substitution,
        (previous[column] as number) + 1,
        (current[column - 1] as number) + 1,
      )
    }
    previous = current
  }
  return previous[b.length] as number
}
