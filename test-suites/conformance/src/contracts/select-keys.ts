import { compareKeys, isBelow, type Key, type Range } from "@sessile/core/storage"

/** What prefixes and a range select from these keys, in the plainest way. */
export function selectKeys(keys: readonly Key[], prefixes: readonly Key[], range: Range): Key[] {
  const selected = keys
    .filter((key) => prefixes.some((prefix) => isBelow(prefix, key)) && isBetween(range, key))
    .sort(compareKeys)
  if (range.reverse) selected.reverse()
  return selected.slice(0, range.limit)
}

function isBetween({ gt, gte, lt, lte }: Range, key: Key): boolean {
  if (gt !== undefined && compareKeys(key, gt) <= 0) return false
  if (gte !== undefined && compareKeys(key, gte) < 0) return false
  if (lt !== undefined && compareKeys(key, lt) >= 0) return false
  return lte === undefined || compareKeys(key, lte) <= 0
}
