import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { fileTree } from "./file-tree.js"

describe("fileTree", () => {
  it("draws folders before files, each in order", () => {
    const paths = ["z.md", "src/b.ts", "src/a/c.ts", "a.md", "src/a.ts", "docs/x/y.md"]
    expect(fileTree(paths, 200).split("\n")).toEqual([
      "docs/",
      "  x/",
      "    y.md",
      "src/",
      "  a/",
      "    c.ts",
      "  a.ts",
      "  b.ts",
      "a.md",
      "z.md",
    ])
  })

  it("shows what is nearest to the root, and counts the rest where it is left out", () => {
    const paths = ["a/b/c/deep.ts", "a/1.ts", "a/2.ts", "top.ts", "d/e/f.ts"]
    expect(fileTree(paths, 2).split("\n")).toEqual(["a/", "  1.ts", "  [2 more]", "top.ts", "[1 more]"])
  })

  it("is empty without files", () => {
    expect(fileTree([], 200)).toBe("")
  })

  it("takes names that every object has", () => {
    expect(fileTree(["constructor/__proto__"], 200)).toBe("constructor/\n  __proto__")
  })

  it("never shows more than the limit, and accounts for every file", () => {
    const name = fc.constantFrom("a", "b", "c", "d")
    const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((names) => names.join("/"))
    fc.assert(
      fc.property(fc.uniqueArray(path), fc.nat(12), (paths, limit) => {
        const lines = fileTree(paths, limit).split("\n").filter(Boolean)
        const shown = lines.filter((line) => !/[/\]]$/.test(line)).length
        const hidden = lines.map((line) => Number(line.match(/\[(\d+) more\]/)?.[1] ?? 0))
        expect(shown).toBe(Math.min(limit, paths.length))
        expect(shown + hidden.reduce((sum, count) => sum + count, 0)).toBe(paths.length)
      }),
    )
  })
})
