import { identifierPrefixes } from "./entity.js"
import { COUNTER_SIZE, invertTimePart, readTimePart, TIME_WINDOW } from "./format.js"
import { IdentifierError } from "./identifier-error.js"

/** How an id was made: ascending ids grow with time, descending ones shrink. */
export type Direction = "ascending" | "descending"

/**
 * The millisecond at which a generated id was made. Ids repeat their time part every 2^36 ms (795 days), so
 * the answer is the candidate nearest `near`: right whenever `near` is less than 2^35 ms (397 days) away.
 *
 * The direction is that of opencode when not given: descending for sessions, ascending for all else.
 *
 * @throws IdentifierError when `id` does not have the generated form
 *
 * @example
 * ```ts
 * timestamp("msg_000008c17001Zhp5Lo28tPqKYu", Date.UTC(2026, 7)) // 1786706430999
 * ```
 */
export function timestamp(id: string, near: number, direction = usualDirection(id)): number {
  const time = readTimestamp(id, near, direction)
  if (time !== undefined) return time
  throw new IdentifierError(
    `Expected a known prefix, "_", 12 hexadecimal digits and 14 base62 characters, got ${JSON.stringify(id)}`,
  )
}

/** The same; `undefined` when `id` does not have the generated form. */
export function readTimestamp(id: string, near: number, direction = usualDirection(id)): number | undefined {
  const written = readTimePart(id)
  if (written === undefined) return undefined
  const timePart = direction === "descending" ? invertTimePart(written) : written
  const time = Math.floor(timePart / COUNTER_SIZE)
  return time + Math.round((near - time) / TIME_WINDOW) * TIME_WINDOW
}

function usualDirection(id: string): Direction {
  return id.startsWith(`${identifierPrefixes.session}_`) ? "descending" : "ascending"
}
