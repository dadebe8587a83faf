import { symlink } from "node:fs/promises"
import { relative } from "node:path"
import { expect, it } from "vitest"
import { Folder } from "../testing/folder.js"
import { glob } from "./glob.js"

it.each([
  ["README.md", ["README.md"]],
  ["gone.md", ["gone.md"]],
  ["./docs//a.md", ["docs/a.md"]],
  ["*.md", ["README.md"]],
  ["docs/?.md", ["docs/a.md", "docs/b.md"]],
  ["packages/*/AGENTS.md", ["packages/one/AGENTS.md", "packages/two/AGENTS.md"]],
  ["**/*.md", ["README.md", "docs/a.md", "docs/b.md", "packages/one/AGENTS.md", "packages/two/AGENTS.md"]],
  ["packages/**", []],
  [".rules/*.md", [".rules/x.md"]],
  ["missing/*.md", []],
  ["docs/a.md/*", []],
  ["", []],
])("%s finds %j", async (pattern, expected) => {
  await using folder = await Folder.create({
    "README.md": "",
    "docs/a.md": "",
    "docs/b.md": "",
    "docs/c.txt": "",
    "packages/one/AGENTS.md": "",
    "packages/two/AGENTS.md": "",
    ".rules/x.md": "",
  })
  await symlink(folder.path, folder.join("packages/loop"))
  const found = await glob(folder.path, pattern)
  expect(found.map((path) => relative(folder.path, path)).sort()).toEqual(expected)
})
