import { beginningOf, isIndented, type Key } from "@sessile/core/storage"

/**
 * Whether a record is a part in good order, just as opencode writes it: most records are, and telling that from how they
 * begin and how they are laid out is faster than parsing them.
 */
export function isPlainPart([kind, messageID, id, ...rest]: Key, utf8: Buffer): boolean {
  if (kind !== "part" || rest.length > 0) return false
  const beginning = beginningOf(utf8)
  if (beginning?.type === undefined || beginning.id !== id || beginning.messageID !== messageID) return false
  return isIndented(utf8)
}
