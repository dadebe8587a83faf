/** What steers a terminal, or turns the order of what it shows around. */
const STEERING = /[\p{Cc}\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/gu

/** A text of a model for a terminal: whatever would steer that is written out, except for line breaks and tabs. */
export function printable(text: string): string {
  return text.replaceAll(STEERING, (character) =>
    /[\n\t]/.test(character) ? character : writeOut(character),
  )
}

/** The same on one line, for questions: no line of the model can pass for one of ours. */
export function printableLine(text: string): string {
  return text.replaceAll(STEERING, writeOut)
}

function writeOut(character: string): string {
  const short = JSON.stringify(character).slice(1, -1)
  if (short.length > 1) return short
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`
}
