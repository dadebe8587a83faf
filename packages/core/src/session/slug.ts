import { adjectives, nouns } from "./slug-words.js"

/**
 * A readable name for a session, such as `brisk-lantern`. There are 4,096 of them: a name is no identifier.
 *
 * @param random gives `size` random bytes; the Web Crypto of the runtime when not given
 */
export function createSlug(random: (size: number) => Uint8Array = randomBytes): string {
  const [first = 0, second = 0] = random(2)
  return `${adjectives[first % adjectives.length]}-${nouns[second % nouns.length]}`
}

function randomBytes(size: number): Uint8Array {
  return globalThis.crypto.getRandomValues(new Uint8Array(size))
}
