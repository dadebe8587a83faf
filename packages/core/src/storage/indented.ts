const NEW_LINE = 10
const SPACE = 32
const QUOTE = 34
const COMMA = 44
const COLON = 58
const OPENING_BRACKET = 91
const BACKSLASH = 92
const CLOSING_BRACKET = 93
const OPENING_BRACE = 123
const CLOSING_BRACE = 125

const INDENT = 2

/**
 * Whether a text that is known to be JSON is laid out as `JSON.stringify(value, undefined, 2)` does it, which is how
 * opencode writes its files. Strings and numbers may be written in any way that JSON knows.
 */
export function isIndented(text: string): boolean {
  let depth = 0
  let position = 0
  for (;;) {
    const start = behindName(text, position)
    position = behindToken(text, start)
    if (position === start) return false
    const opens = isOpening(text.charCodeAt(position - 1)) && position === start + 1
    if (opens) depth++
    if (text.charCodeAt(position) === COMMA) position++
    if (position === text.length) return depth === 0
    if (text.charCodeAt(position) !== NEW_LINE) return false
    const line = ++position
    while (text.charCodeAt(position) === SPACE) position++
    if (isClosing(text.charCodeAt(position))) {
      // What is empty is opened and closed in one line.
      if (opens) return false
      depth--
    }
    if (position - line !== depth * INDENT) return false
  }
}

/** Where a line goes on behind the name of a property; where it began, if there is none. */
function behindName(text: string, start: number): number {
  if (text.charCodeAt(start) !== QUOTE) return start
  const end = behindString(text, start)
  return text.charCodeAt(end) === COLON && text.charCodeAt(end + 1) === SPACE ? end + 2 : start
}

/** Where a value ends, or the beginning or the end of one that takes several lines. */
function behindToken(text: string, start: number): number {
  const first = text.charCodeAt(start)
  if (first === QUOTE) return behindString(text, start)
  if (isOpening(first)) return isClosing(text.charCodeAt(start + 1)) ? start + 2 : start + 1
  if (isClosing(first)) return start + 1
  let end = start
  for (let next = first; next > SPACE && next !== COMMA && !isClosing(next); next = text.charCodeAt(end))
    end++
  return end
}

function behindString(text: string, start: number): number {
  let end = start
  do end = text.indexOf('"', end + 1)
  while (isEscaped(text, end))
  return end + 1
}

function isEscaped(text: string, position: number): boolean {
  let before = position - 1
  while (text.charCodeAt(before) === BACKSLASH) before--
  return (position - before) % 2 === 0
}

function isOpening(code: number): boolean {
  return code === OPENING_BRACE || code === OPENING_BRACKET
}

function isClosing(code: number): boolean {
  return code === CLOSING_BRACE || code === CLOSING_BRACKET
}
