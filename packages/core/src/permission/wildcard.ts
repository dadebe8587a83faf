/**
 * Whether `pattern` describes all of `text`: `*` stands for any characters, `?` for one, and a backslash before `*`,
 * `?` or `\` for that character itself. A pattern that ends in a blank and `*` also describes the text without either,
 * so that `git *` covers a bare `git`.
 *
 * It takes at most as many steps as the lengths of both multiplied, whatever the pattern.
 *
 * @example
 * ```ts
 * matchesWildcard("git push origin", "git *") // true
 * matchesWildcard("rm -r build", String.raw`rm \*`) // false
 * ```
 */
export function matchesWildcard(text: string, pattern: string): boolean {
  if (pattern === "*") return true
  const characters = [...text]
  if (matches(characters, parse(pattern))) return true
  return pattern.endsWith(" *") && matches(characters, parse(pattern.slice(0, -2)))
}

/**
 * The pattern that describes this text and no other.
 *
 * @example
 * ```ts
 * escapePattern("ls *.ts") // "ls \\*.ts"
 * ```
 */
export function escapePattern(text: string): string {
  return text.replaceAll(/[*?\\]/g, "\\$&")
}

/** The only text that a pattern describes; `undefined` when it has wildcards. */
export function literalOf(pattern: string): string | undefined {
  const tokens = parse(pattern)
  return tokens.every((token) => typeof token === "string") ? tokens.join("") : undefined
}

const STAR = Symbol("*")
const ANY = Symbol("?")
type Token = string | typeof STAR | typeof ANY

function parse(pattern: string): Token[] {
  const tokens: Token[] = []
  for (const [token] of pattern.matchAll(/\\[*?\\]|./gsu)) {
    if (token === "*") tokens.push(STAR)
    else if (token === "?") tokens.push(ANY)
    else tokens.push(token.length === 2 && token.startsWith("\\") ? token.slice(1) : token)
  }
  return tokens
}

function matches(text: readonly string[], pattern: readonly Token[]): boolean {
  let position = 0
  let index = 0
  let star = -1
  let resume = 0
  while (position < text.length) {
    if (pattern[index] === STAR) {
      star = index++
      resume = position
    } else if (index < pattern.length && (pattern[index] === ANY || pattern[index] === text[position])) {
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
  while (pattern[index] === STAR) index++
  return index === pattern.length
}
