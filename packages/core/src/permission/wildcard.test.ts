import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { escapePattern, literalOf, matchesWildcard } from "./wildcard.js"

describe("matchesWildcard", () => {
  it.each([
    ["bash", "bash", true],
    ["bash", "bas", false],
    ["bas", "bash", false],
    ["", "", true],
    ["", "*", true],
    ["", "?", false],
    ["anything\nat all", "*", true],
    ["src/a/b.ts", "src/*.ts", true],
    ["src/a/b.js", "src/*.ts", false],
    ["a.env", "?.env", true],
    ["ab.env", "?.env", false],
    ["😀.env", "?.env", true],
    ["Bash", "bash", false],
    ["a+b(c)", "a+b(c)", true],
    ["aab", "a+b", false],
    ["a*b", String.raw`a\*b`, true],
    ["axb", String.raw`a\*b`, false],
    ["a?", String.raw`a\?`, true],
    ["ab", String.raw`a\?`, false],
    [String.raw`C:\dev`, String.raw`C:\dev`, true],
    [String.raw`a\b`, String.raw`a\\b`, true],
    [String.raw`a\xyz`, String.raw`a\\*`, true],
  ])("%j against %j gives %j", (text, pattern, expected) => {
    expect(matchesWildcard(text, pattern)).toBe(expected)
  })

  it("lets a trailing blank and star describe a command with and without arguments", () => {
    expect(matchesWildcard("git", "git *")).toBe(true)
    expect(matchesWildcard("git push origin", "git *")).toBe(true)
    expect(matchesWildcard("github", "git *")).toBe(false)
    expect(matchesWildcard("npm run", "npm * *")).toBe(true)
  })

  it("agrees with a regular expression", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "b", " ", "\n", ".", "*", "\\") })
    const pattern = fc.string({ unit: fc.constantFrom("a", "b", " ", ".", "*", "?", "\\") })
    fc.assert(
      fc.property(text, pattern, (text, pattern) => {
        expect(matchesWildcard(text, pattern)).toBe(asRegExp(pattern).test(text))
      }),
      { numRuns: 2000 },
    )
  })

  it("describes one text only, once that is escaped", () => {
    const text = fc.string({ unit: fc.constantFrom("a", " ", "*", "?", "\\") })
    fc.assert(
      fc.property(text, text, (text, other) => {
        expect(literalOf(escapePattern(text))).toBe(text)
        expect(matchesWildcard(other, escapePattern(text))).toBe(other === text)
      }),
      { numRuns: 2000 },
    )
  })

  it("comes to an end on patterns that send backtracking matchers astray", () => {
    expect(matchesWildcard("a".repeat(2000), `${"*a".repeat(200)}b`)).toBe(false)
  })
})

function asRegExp(pattern: string): RegExp {
  const meaning: Record<string, string> = { "*": ".*", "?": ".", ".": "\\." }
  const source = (text: string) =>
    text.replaceAll(/\\([*?\\])|[*?.\\]/g, (token, escaped: string | undefined) => {
      return escaped === undefined ? (meaning[token] ?? "\\\\") : `\\${escaped}`
    })
  const whole = pattern.endsWith(" *") ? `${source(pattern.slice(0, -2))}( .*)?` : source(pattern)
  return new RegExp(`^${whole}$`, "s")
}
