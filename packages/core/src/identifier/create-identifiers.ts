import { type Entity, identifierPrefixes } from "./entity.js"
import { COUNTER_SIZE, invertTimePart, isIdentifier, RANDOM_LENGTH, TIME_WINDOW } from "./format.js"
import { IdentifierError } from "./identifier-error.js"

/** Where a generator takes time and randomness from. */
export interface IdentifiersOptions {
  /** Milliseconds since 1970; `Date.now` when not given. */
  readonly clock?: () => number
  /** Gives `size` random bytes; the Web Crypto of the runtime when not given. */
  readonly random?: (size: number) => Uint8Array
}

/** Makes ids. Both methods draw on one state: no two ids are of the same millisecond and counter. */
export interface Identifiers {
  /**
   * A new id that sorts after all earlier ones, or `given` when it is an id of `entity`.
   *
   * @throws IdentifierError when `given` is not an id of `entity`
   */
  ascending(entity: Entity, given?: string): string
  /**
   * A new id that sorts before all earlier ones, as opencode wants it for sessions, or `given` when it is an
   * id of `entity`.
   *
   * @throws IdentifierError when `given` is not an id of `entity`
   */
  descending(entity: Entity, given?: string): string
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Drawing bytes for many ids at once costs a fraction of drawing them for each.
const POOL_SIZE = RANDOM_LENGTH * 128

/**
 * A generator of ids in opencode's format, `<prefix>_<12 hex><14 base62>`, where the hexadecimal digits are the
 * low 48 bits of `ms * 4096 + counter`, inverted in descending ids.
 *
 * The ids of one generator are strictly monotonic in the order of {@link compareIdentifiers}, also when the
 * clock steps back (time stands still until it catches up), when a millisecond needs more than 4095 ids (the
 * next one is borrowed), and across the wrap of the 48 bits. Only a leap of the clock by more than 2^35 ms (about
 * 397 days) is beyond that order. Two generators know nothing of each other: prefer the shared
 * {@link identifiers} except where time and randomness must be controlled.
 *
 * @throws IdentifierError from its methods, when the clock gives no time or `random` too few bytes
 *
 * @example
 * ```ts
 * const { ascending } = createIdentifiers({ clock: () => 1_786_706_310_995 })
 * ascending("message") // "msg_ffffeb753001" and 14 random characters
 * ```
 */
export function createIdentifiers(options: IdentifiersOptions = {}): Identifiers {
  const { clock = () => Date.now(), random = randomBytes } = options
  let time = Number.NEGATIVE_INFINITY
  let counter = 0
  let pool: Uint8Array = new Uint8Array()
  let used = 0

  return {
    ascending: (entity, given) =>
      given === undefined ? write(entity, nextTimePart()) : accept(entity, given),
    descending: (entity, given) =>
      given === undefined ? write(entity, invertTimePart(nextTimePart())) : accept(entity, given),
  }

  function write(entity: Entity, timePart: number): string {
    return `${identifierPrefixes[entity]}_${hexadecimal(timePart)}${nextRandom()}`
  }

  function nextTimePart(): number {
    const now = Math.floor(clock())
    if (!Number.isSafeInteger(now)) throw new IdentifierError(`The clock gave ${now} instead of milliseconds`)
    if (now > time) {
      time = now
      counter = 1
    } else if (counter < COUNTER_SIZE - 1) {
      counter += 1
    } else {
      time += 1
      counter = 1
    }
    // The full product outgrows exact numbers in 2039, so the time is cut to its 36 bits first.
    return (time - Math.floor(time / TIME_WINDOW) * TIME_WINDOW) * COUNTER_SIZE + counter
  }

  function nextRandom(): string {
    if (used + RANDOM_LENGTH > pool.length) refill()
    let text = ""
    // 256 is no multiple of 62; the bias costs a sixteenth of a bit per id.
    for (const end = used + RANDOM_LENGTH; used < end; used++) text += BASE62[(pool[used] as number) % 62]
    return text
  }

  function refill(): void {
    const bytes = random(POOL_SIZE)
    if (bytes.length < POOL_SIZE) {
      throw new IdentifierError(`random(${POOL_SIZE}) must give that many bytes, it gave ${bytes.length}`)
    }
    pool = bytes
    used = 0
  }
}

/**
 * The generator that everything in a process shares by default, because ids are monotonic only among those
 * that one generator made. Each worker thread has one of its own.
 */
export const identifiers: Identifiers = createIdentifiers()

function accept(entity: Entity, given: string): string {
  if (isIdentifier(entity, given)) return given
  const expected = `"${identifierPrefixes[entity]}_" and at least one character, without NUL or lone surrogates`
  throw new IdentifierError(`Expected a ${entity} id (${expected}), got ${JSON.stringify(given)}`)
}

// Integers of more than 32 bits take several times longer to print than two halves.
function hexadecimal(timePart: number): string {
  const high = Math.floor(timePart / 2 ** 24)
  return sixDigits(high) + sixDigits(timePart - high * 2 ** 24)
}

function sixDigits(value: number): string {
  return (value + 2 ** 24).toString(16).slice(1)
}

function randomBytes(size: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(size))
}
