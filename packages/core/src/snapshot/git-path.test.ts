import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { decodeGitPath } from "./git-path.js"

describe("decodeGitPath", () => {
  it.each([
    ['"caf\\303\\251"', "café"],
    ['"\\346\\227\\245\\346\\234\\254/\\360\\237\\230\\200.txt"', "日本/😀.txt"],
    ['"a\\tb\\nc\\"d\\\\e"', 'a\tb\nc"d\\e'],
    ['"\\a\\b\\v\\f\\r\\001"', "\x07\b\v\f\r\x01"],
    ['"café\\n"', "café\n"],
    ['""', ""],
  ])("reads %s", (quoted, name) => {
    expect(decodeGitPath(quoted)).toBe(name)
  })

  it.each(["plain.txt", "café", "a\\303", '"', '"a', 'a"', '"a"b"', '"a\\q"', '"a\\9"', '"a\\"', ""])(
    "leaves %s, which git would not print in quotes, as it is",
    (name) => {
      expect(decodeGitPath(name)).toBe(name)
    },
  )

  it("undoes the quoting of any name", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        expect(decodeGitPath(quote(name))).toBe(name)
      }),
    )
  })
})

/** Every byte in octal, but for letters. */
function quote(name: string): string {
  const bytes = [...Buffer.from(name)].map((byte) => {
    const letter = String.fromCharCode(byte)
    return /[a-z]/i.test(letter) ? letter : `\\${byte.toString(8).padStart(3, "0")}`
  })
  return `"${bytes.join("")}"`
}
