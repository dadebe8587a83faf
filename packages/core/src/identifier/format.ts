import { type Entity, identifierPrefixes } from "./entity.js"

/** Values that one millisecond has room for: the counter takes 12 of the 48 bits. */
export const COUNTER_SIZE = 2 ** 12

/** Milliseconds after which the time part repeats: 36 of the 48 bits. */
export const TIME_WINDOW = 2 ** 36

/** Values of the 48-bit time part. */
export const TIME_PART_SIZE = TIME_WINDOW * COUNTER_SIZE

export const HEX_LENGTH = 12
export const RANDOM_LENGTH = 14

const FORMAT = new RegExp(
  `^(?:${Object.values(identifierPrefixes).join("|")})_[0-9a-f]{${HEX_LENGTH}}[0-9A-Za-z]{${RANDOM_LENGTH}}$`,
)

// With the u flag a pair counts as one character, which is no surrogate.
const LONE_SURROGATE = /\p{Surrogate}/u

/**
 * Whether `id` may stand for an `entity` in a store: the right prefix, and behind it anything that a storage
 * key can hold. Other tools write ids of other lengths, so this is the check for whatever is read.
 *
 * @example
 * ```ts
 * isIdentifier("session", "ses_imported-from-elsewhere") // true
 * isIdentifier("session", "msg_000008c17001Zhp5Lo28tPqKYu") // false
 * ```
 */
export function isIdentifier(entity: Entity, id: string): boolean {
  const start = `${identifierPrefixes[entity]}_`
  return id.length > start.length && id.startsWith(start) && !id.includes("\0") && !LONE_SURROGATE.test(id)
}

/**
 * Whether `id` has exactly the form that opencode and {@link createIdentifiers} give to the ids of `entity`:
 * the prefix, 12 lower-case hexadecimal digits of time and 14 base62 characters.
 */
export function isGeneratedIdentifier(entity: Entity, id: string): boolean {
  return id.startsWith(`${identifierPrefixes[entity]}_`) && FORMAT.test(id)
}

/** The 48 bits of time in a generated id, as they are written; `undefined` when `id` has another form. */
export function readTimePart(id: string): number | undefined {
  if (!FORMAT.test(id)) return undefined
  return Number.parseInt(id.slice(-HEX_LENGTH - RANDOM_LENGTH, -RANDOM_LENGTH), 16)
}

/** The time part of the opposite direction: all 48 bits inverted. */
export function invertTimePart(value: number): number {
  return TIME_PART_SIZE - 1 - value
}
