/**
 * Whether `pattern` describes all of `text`: `*` stands for any characters, `?` for one. A pattern that ends in a
 * blank and `*` also describes the text without either, so that `git *` covers a bare `git`.
 *
 * It takes at most as many steps as the lengths of both multiplied, whatever the pattern.
 *
 * @example
 * ```ts
 * matchesWildcard("git push origin", "git *") // true
 * ```
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  if (pattern === "*") return true
  const characters = [...text]
  if (matches(characters, [...pattern])) return true
  return pattern.endsWith(" *") && matches(characters, [...pattern.slice(0, -2)])
}

function matches(text: readonly string[], pattern: readonly string[]): boolean {
  let position = 0
  let index = 0
  let star = -1
  let resume = 0
  while (position < text.length) {
    if (pattern[index] === "*") {
      star = index++
      resume = position
    } else if (index < pattern.length && (pattern[index] === "?" || pattern[index] === text[position])) {
      index++
      position++
    } else if (star >= 0) {
      // Only the last star needs another try: whatever an earlier one could take, this one can take as well.
      index = star + 1
      position = ++resume
    } else {
      return false
    }
  }
  while (pattern[index] === "*") index++
  return index === pattern.length
}
