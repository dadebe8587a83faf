import type { z } from "zod"
import { ConfigurationError } from "./configuration-error.js"
import { locate } from "./locate.js"

/** A text with a value in it that is to be checked. */
export interface CheckedText {
  /** The path of the file, or the name of whatever else the text came from. */
  readonly source: string
  readonly text: string
  readonly value: unknown
  /** Where in the text the value at a path begins; `undefined` where there is none. */
  offsetOf(path: readonly PropertyKey[]): number | undefined
}

/**
 * The value of a text as the schema gives it.
 *
 * @throws ConfigurationError with the places of all that does not fit
 */
export function checkText<Schema extends z.ZodType>(schema: Schema, checked: CheckedText): z.output<Schema> {
  const result = schema.safeParse(checked.value)
  if (result.success) return result.data
  const problems = result.error.issues.map(closestReason).map(({ path, message }) => {
    const reason = [path.map(String).join("."), message].filter((text) => text !== "").join(": ")
    return { ...locate(checked.text, offset(checked, path)), reason }
  })
  throw new ConfigurationError(checked.source, problems)
}

type Issue = Pick<z.core.$ZodIssue, "path" | "message">

// Of several forms that a value may take, the one that fits farthest is the one that was meant.
function closestReason(issue: z.core.$ZodIssue): Issue {
  if (issue.code !== "invalid_union") return issue
  const reasons = issue.errors.flatMap((issues) => issues.slice(0, 1)).map(closestReason)
  const farthest = Math.max(0, ...reasons.map(({ path }) => path.length))
  const reason = farthest === 0 ? undefined : reasons.find(({ path }) => path.length === farthest)
  return reason === undefined ? issue : { path: [...issue.path, ...reason.path], message: reason.message }
}

// What is missing is missing in what is around it.
function offset(checked: CheckedText, path: readonly PropertyKey[]): number {
  for (let length = path.length; length > 0; length--) {
    const found = checked.offsetOf(path.slice(0, length))
    if (found !== undefined) return found
  }
  return checked.offsetOf([]) ?? 0
}
