// A record's exchange text is what its file in opencode's layout holds, byte for byte. Stores that write compact
// JSON keep such a text as it is, and mark the few that they could mistake for one of their own. The marks are
// white space in front, which every reader of JSON passes over.

/** In front of a text that is to come back exactly, though it looks like one that this store wrote itself. */
const EXACT = " "

/** In front of a text that began with a byte order mark, which is no JSON. */
const BYTE_ORDER_MARKED = "\t"

const BYTE_ORDER_MARK = "\uFEFF"

/** What a store of compact JSON keeps for an exchange text. */
export function storedFromExchange(text: string): string {
  if (text.startsWith(BYTE_ORDER_MARK)) return BYTE_ORDER_MARKED + text.slice(1)
  if (text.startsWith(EXACT) || text.startsWith(BYTE_ORDER_MARKED)) return EXACT + text
  return indented(text) === undefined ? text : EXACT + text
}

/** Whether an exchange text, given in UTF-8, is kept as it is: a line break behind its bracket shows that it is indented. */
export function isKeptAsItIs(utf8: Uint8Array | undefined): boolean {
  return utf8 !== undefined && (utf8[0] === 0x7b || utf8[0] === 0x5b) && utf8[1] === 0x0a
}

/** The inverse of {@link storedFromExchange}; a text that the store wrote itself gets opencode's indentation. */
export function exchangeFromStored(text: string): string {
  if (text.startsWith(EXACT)) return text.slice(1)
  if (text.startsWith(BYTE_ORDER_MARKED)) return BYTE_ORDER_MARK + text.slice(1)
  return indented(text) ?? text
}

/** A compact text in opencode's indentation; `undefined` for any other text, and where both are the same. */
function indented(text: string): string | undefined {
  // Compact JSON has no line breaks, and only objects and arrays with content look different when indented.
  if (text.length <= 2 || !/^[[{]/.test(text) || text.includes("\n")) return undefined
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return JSON.stringify(value) === text ? JSON.stringify(value, undefined, 2) : undefined
}
