import fc from "fast-check"
import { expect, test } from "vitest"
import { formatReason, table, wrap } from "./layout.js"
import { fold } from "./line.js"
import { escapeControls, printable } from "./printable.js"
import { quoteArgument } from "./quote-argument.js"
import { joinSections, listSection } from "./sections.js"

test("columns lean to their sides, without blanks at the end", () => {
  expect(
    table(
      [
        ["a", 1_000, "x"],
        ["bcd", 2, ""],
      ],
      ["left", "right", "left"],
    ),
  ).toEqual(["a    1,000  x", "bcd      2"])
})

test("wrapping loses no word, and no line is longer than it must be", () => {
  fc.assert(
    fc.property(
      fc.array(fc.stringMatching(/^[a-z/]{1,30}$/), { minLength: 1 }),
      fc.integer({ min: 5, max: 80 }),
      (words, width) => {
        const lines = wrap(words.join(" "), width)
        expect(lines.join(" ")).toBe(words.join(" "))
        for (const line of lines) expect(line.length <= width || !line.includes(" ")).toBe(true)
      },
    ),
  )
})

test("sections keep to the width, but commands stay in one piece", () => {
  const command = `Show it:  sqlite3 history.db "select title from sessions"`
  const lines = joinSections([["A title that is much too long for the terminal"], [], [command]])
  expect(lines.flatMap((line) => fold(line, 30))).toEqual([
    "A title that is much too",
    "  long for the terminal",
    "",
    command,
  ])
})

test("a list says how many it does not name", () => {
  expect(listSection("Odd", 12, ["a", "b"])).toEqual([
    "Odd: 12",
    "  a",
    "  b",
    "  … and 10 more; --json names all",
  ])
  expect(listSection("Odd", 0, [])).toEqual([])
})

test("nothing that is printed can control the terminal", () => {
  expect(printable("a\u001b[2J\u202eb\nc")).toBe("a�[2J�b�c")
})

test("JSON keeps its values while its control characters are escaped", () => {
  const value = { text: "a\u001b\u0085\u202e\u2028\u007f\nb" }
  const escaped = escapeControls(JSON.stringify(value, null, 2))
  expect(escaped).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u)
  expect(JSON.parse(escaped)).toEqual(value)
})

test("a reason does not repeat the key", () => {
  expect(formatReason("The record is empty [a/b] (/x/a/b.json)", ["a", "b"])).toBe(
    "The record is empty (/x/a/b.json)",
  )
})

test.each([
  ["/home/dev/a-b.db", "/home/dev/a-b.db"],
  ["my file", "'my file'"],
  ["it's", `'it'\\''s'`],
  ["$HOME", "'$HOME'"],
])("%s can be pasted into a shell as %s", (text, expected) => {
  expect(quoteArgument(text)).toBe(expected)
})
