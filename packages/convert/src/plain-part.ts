import { isIndented, type Key } from "@sessile/core/storage"

// Longer than any beginning with ids that opencode makes.
const BEGINNING_BYTES = 256
const BEGINNING =
  /^\{\n {2}"id": "([^"\\\x80-\xff]*)",\n {2}"sessionID": "[^"\\]*",\n {2}"messageID": "([^"\\\x80-\xff]*)",\n {2}"type": "/

/**
 * Whether a record is a part in good order, just as opencode writes it: most records are, and telling that from how they
 * begin and how they are laid out is faster than parsing them.
 */
export function isPlainPart([kind, messageID, id, ...rest]: Key, utf8: Buffer): boolean {
  if (kind !== "part" || rest.length > 0) return false
  const found = BEGINNING.exec(utf8.toString("latin1", 0, BEGINNING_BYTES))
  return found !== null && found[1] === id && found[2] === messageID && isIndented(utf8)
}
