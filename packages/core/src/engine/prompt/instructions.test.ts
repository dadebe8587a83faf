import { describe, expect, it } from "vitest"
import { Folder } from "../testing/folder.js"
import { instructionsPrompt } from "./instructions.js"

describe("instructionsPrompt", () => {
  it("gives the files of the project from the worktree down, then those of the user, each with its path", async () => {
    await using folder = await Folder.create({
      "AGENTS.md": "outside",
      "work/AGENTS.md": "agents of work\n",
      "work/CLAUDE.md": "claude of work",
      "work/CONTEXT.md": "context of work",
      "work/inner/AGENTS.md": "agents of inner",
      "work/inner/deeper/AGENTS.md": "below",
      "home/.config/opencode/AGENTS.md": "agents of the user",
      "home/.claude/CLAUDE.md": "claude of the user",
    })
    expect(await prompt(folder)).toBe(
      [
        ["work/AGENTS.md", "agents of work"],
        ["work/CLAUDE.md", "claude of work"],
        ["work/CONTEXT.md", "context of work"],
        ["work/inner/AGENTS.md", "agents of inner"],
        ["home/.config/opencode/AGENTS.md", "agents of the user"],
        ["home/.claude/CLAUDE.md", "claude of the user"],
      ]
        .map(([path = "", text]) => `Instructions from: ${folder.join(path)}\n${text}`)
        .join("\n\n"),
    )
  })

  it("gives the same text only once, and blank ones not at all", async () => {
    await using folder = await Folder.create({
      "work/AGENTS.md": "same",
      "work/CLAUDE.md": "same\n",
      "work/CONTEXT.md": " \n",
    })
    expect(await prompt(folder)).toBe(`Instructions from: ${folder.join("work/AGENTS.md")}\nsame`)
  })

  it("is undefined when there are none", async () => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    expect(await prompt(folder)).toBeUndefined()
  })

  it("finds what configuration names: relative, absolute, at home and by wildcards", async () => {
    await using folder = await Folder.create({
      "work/rules/a.md": "A",
      "work/rules/b.md": "B",
      "work/inner/rules/c.md": "C",
      "elsewhere/d.md": "D",
      "home/e.md": "E",
    })
    const stated = [
      "rules/*.md",
      folder.join("elsewhere/*.md"),
      "~/e.md",
      "gone.md",
      "https://example.com/f.md",
    ]
    const found = await prompt(folder, stated)
    expect(found?.split("\n\n").map((section) => section.split("\n")[1])).toEqual(["A", "B", "C", "D", "E"])
  })
})

function prompt(folder: Folder, instructions?: readonly string[]) {
  return instructionsPrompt({
    directory: folder.join("work/inner"),
    worktree: folder.join("work"),
    instructions,
    environment: { platform: "linux", variables: { HOME: folder.join("home") } },
  })
}
