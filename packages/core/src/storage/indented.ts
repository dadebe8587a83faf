import { MAX_DEPTH } from "./value.js"

const NEW_LINE = 10
const SPACE = 32
const QUOTE = 34
const PLUS = 43
const COMMA = 44
const MINUS = 45
const POINT = 46
const ZERO = 48
const NINE = 57
const COLON = 58
const OPENING_BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACE = 125
const OPENING_BRACE = 123

const INDENT = 2

/** From an opening brace or bracket to the closing one. */
const TO_CLOSING = 2

/** Where something ends that is not there. */
export const NOWHERE = -1

/** Which bytes stand for themselves in a string. */
const IS_PLAIN = tableOf((byte) => byte >= SPACE && byte !== QUOTE && byte !== BACKSLASH)

/** What follows a backslash, but for `u`. */
const IS_ESCAPED = tableOf((byte) => '"\\/bfnrt'.includes(String.fromCharCode(byte)))
const UNICODE_ESCAPE = 117
const IS_HEXADECIMAL = tableOf((byte) => /[\da-f]/i.test(String.fromCharCode(byte)))

const LITERALS = ["true", "false", "null"].map((literal) => Buffer.from(literal))

/** The closing braces and brackets that are due, by depth. */
const closings = new Uint8Array(MAX_DEPTH)

/**
 * Whether text in UTF-8 is JSON and laid out as `JSON.stringify(value, undefined, 2)` does it, which is how opencode
 * writes its files; strings and numbers may be written in any way that JSON knows. It is faster than parsing, and leaves
 * no garbage. What nests very deep is left to others.
 */
export function isIndented(utf8: Uint8Array): boolean {
  return copyFrom(utf8, 0, 0, undefined, 0) !== NOWHERE
}

/** Tells what is not to be the name of a field, by where it begins and where the colon behind it ends. */
export type NameCheck = (utf8: Uint8Array, start: number, end: number) => boolean

/**
 * Copies the fields of an object that is such a text, from one of them on and with the brace behind the last, without the
 * white space between their tokens. Gives where the copy ends, or `NOWHERE` for any other text and for one in which a
 * field has a name that is refused.
 */
export function copyFields(
  utf8: Uint8Array,
  from: number,
  to: Uint8Array,
  start: number,
  isRefused: NameCheck,
): number {
  closings[1] = CLOSING_BRACE
  return copyFrom(utf8, from, 1, to, start, isRefused)
}

/** Begins at some depth, whose closing brace or bracket is known. */
function copyFrom(
  utf8: Uint8Array,
  from: number,
  startingDepth: number,
  to: Uint8Array | undefined,
  start: number,
  isRefused?: NameCheck,
): number {
  let position = from
  let end = start
  let depth = startingDepth
  for (;;) {
    if (depth > 0 && closings[depth] === CLOSING_BRACE) {
      const colon = utf8[position] === QUOTE ? copyString(utf8, position, to, end) : NOWHERE
      if (colon === NOWHERE || utf8[colon] !== COLON || utf8[colon + 1] !== SPACE) return NOWHERE
      if (depth === 1 && isRefused?.(utf8, position, colon + 1)) return NOWHERE
      end += colon - position
      if (to !== undefined) to[end] = COLON
      end++
      position = colon + 2
    }
    const first = utf8[position] as number
    if (isOpening(first) && utf8[position + 1] === NEW_LINE) {
      if (++depth >= MAX_DEPTH) return NOWHERE
      closings[depth] = first + TO_CLOSING
      if (to !== undefined) to[end] = first
      end++
      position = behindIndentation(utf8, position + 1, depth)
      if (position === NOWHERE) return NOWHERE
      continue
    }
    const behind = copyValue(utf8, position, to, end)
    if (behind === NOWHERE) return NOWHERE
    end += behind - position
    position = behind
    while (depth > 0 && utf8[position] !== COMMA) {
      position = behindIndentation(utf8, position, depth - 1)
      if (position === NOWHERE || utf8[position] !== closings[depth]) return NOWHERE
      if (to !== undefined) to[end] = closings[depth] as number
      end++
      depth--
      position++
    }
    if (depth === 0) return position === utf8.length ? end : NOWHERE
    if (to !== undefined) to[end] = COMMA
    end++
    position = behindIndentation(utf8, position + 1, depth)
    if (position === NOWHERE) return NOWHERE
  }
}

function behindIndentation(utf8: Uint8Array, lineEnd: number, depth: number): number {
  if (utf8[lineEnd] !== NEW_LINE) return NOWHERE
  const end = lineEnd + 1 + depth * INDENT
  for (let position = lineEnd + 1; position < end; position++) if (utf8[position] !== SPACE) return NOWHERE
  return end
}

/** Where a value in one line ends, which is copied on the way. */
function copyValue(utf8: Uint8Array, start: number, to: Uint8Array | undefined, end: number): number {
  if (utf8[start] === QUOTE) return copyString(utf8, start, to, end)
  const behind = behindOthers(utf8, start)
  if (to !== undefined) for (let from = start; from < behind; from++) to[end++] = utf8[from] as number
  return behind
}

/** Where a value in one line ends that is no string. */
function behindOthers(utf8: Uint8Array, start: number): number {
  const first = utf8[start] as number
  if (isOpening(first)) return utf8[start + 1] === first + TO_CLOSING ? start + 2 : NOWHERE
  if (first === MINUS || isDigit(first)) return behindNumber(utf8, start)
  for (const literal of LITERALS) {
    if (literal.every((byte, index) => utf8[start + index] === byte)) return start + literal.length
  }
  return NOWHERE
}

/** Where a string ends. Each of its bytes is looked at, and copied then, rather than all of them later. */
function copyString(utf8: Uint8Array, start: number, to: Uint8Array | undefined, end: number): number {
  if (to === undefined) return behindString(utf8, start)
  let position = start + 1
  to[end++] = QUOTE
  for (;;) {
    let byte = utf8[position] as number
    while (IS_PLAIN[byte] === 1) {
      to[end++] = byte
      byte = utf8[++position] as number
    }
    to[end++] = byte
    if (byte === QUOTE) return position + 1
    const behind = byte === BACKSLASH ? behindEscape(utf8, position) : NOWHERE
    if (behind === NOWHERE) return NOWHERE
    for (position++; position < behind; position++) to[end++] = utf8[position] as number
  }
}

function behindString(utf8: Uint8Array, start: number): number {
  let position = start + 1
  for (;;) {
    while (IS_PLAIN[utf8[position] as number] === 1) position++
    if (utf8[position] === QUOTE) return position + 1
    position = utf8[position] === BACKSLASH ? behindEscape(utf8, position) : NOWHERE
    if (position === NOWHERE) return NOWHERE
  }
}

function behindEscape(utf8: Uint8Array, start: number): number {
  const escaped = utf8[start + 1] as number
  if (escaped !== UNICODE_ESCAPE) return IS_ESCAPED[escaped] === 1 ? start + 2 : NOWHERE
  for (let digit = start + 2; digit < start + 6; digit++) {
    if (IS_HEXADECIMAL[utf8[digit] as number] !== 1) return NOWHERE
  }
  return start + 6
}

function behindNumber(utf8: Uint8Array, start: number): number {
  const whole = utf8[start] === MINUS ? start + 1 : start
  let end = utf8[whole] === ZERO ? whole + 1 : behindDigits(utf8, whole)
  if (utf8[end] === POINT) end = behindDigits(utf8, end + 1)
  if (end !== NOWHERE && isExponent(utf8[end])) {
    const sign = utf8[end + 1]
    end = behindDigits(utf8, end + (sign === PLUS || sign === MINUS ? 2 : 1))
  }
  return end
}

function behindDigits(utf8: Uint8Array, start: number): number {
  let end = start
  while (isDigit(utf8[end])) end++
  return end === start ? NOWHERE : end
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= NINE
}

function isExponent(byte: number | undefined): boolean {
  return byte === 69 || byte === 101
}

function isOpening(byte: number | undefined): boolean {
  return byte === OPENING_BRACE || byte === OPENING_BRACKET
}

/** For every byte 1 or 0: a look into a table is faster than any other answer. */
export function tableOf(isMeant: (byte: number) => boolean): Uint8Array {
  return new Uint8Array(256).map((_, byte) => (isMeant(byte) ? 1 : 0))
}
