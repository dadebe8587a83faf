import { describe, expect, it } from "vitest"
import { rulesFromConfig } from "../../permission/permission-config.js"
import { ConfigurationError } from "../config/configuration-error.js"
import { Folder } from "../testing/folder.js"
import { loadAgents } from "./load-agents.js"

const reviewer = `---
# who reviews
description: "Reviews: all of it"
mode: subagent
model: openrouter/anthropic/claude-sonnet-4
temperature: 0.1
top_p: 0.9
maxSteps: 7
tools:
  write: false
permission:
  bash:
    "*": ask
    git diff *: allow
reasoningEffort: high
color: "#ff0000"
---

You review code.

---
Be kind.
`

describe("loadAgents", () => {
  it("reads front matter and text", async () => {
    await using folder = await Folder.create({ "agent/reviewer.md": reviewer })
    const { reviewer: agent } = await load(folder.path)
    expect(agent).toEqual({
      description: "Reviews: all of it",
      mode: "subagent",
      model: { providerID: "openrouter", modelID: "anthropic/claude-sonnet-4" },
      temperature: 0.1,
      topP: 0.9,
      steps: 7,
      prompt: "You review code.\n\n---\nBe kind.",
      permission: rulesFromConfig({ edit: "deny", bash: { "*": "ask", "git diff *": "allow" } }),
      options: { reasoningEffort: "high" },
    })
  })

  it("names agents by their files, in agent and agents, in folders of these too", async () => {
    await using folder = await Folder.create({
      "agent/a.md": "A",
      "agents/b.md": "B",
      "agent/review/security.md": "C",
      "agent/notes.txt": "no agent",
      "other/d.md": "no agent",
    })
    const agents = await load(folder.path)
    expect(Object.keys(agents).sort()).toEqual(["a", "b", "review/security"])
    expect(agents.a).toMatchObject({ prompt: "A" })
  })

  it("lets later folders go over earlier ones, field by field", async () => {
    await using user = await Folder.create({ "agent/a.md": "---\nsteps: 3\ntemperature: 0\n---\nUser" })
    await using project = await Folder.create({ "agent/a.md": "---\nsteps: 9\n---\n", "agent/b.md": "" })
    const agents = await load(user.path, project.path)
    expect(agents.a).toMatchObject({ steps: 9, temperature: 0, prompt: "User" })
    expect(Object.keys(agents)).toEqual(["a", "b"])
  })

  it("takes files of Windows editors", async () => {
    await using folder = await Folder.create({ "agent/a.md": "\uFEFF---\r\nsteps: 3\r\n---\r\nText\r\n" })
    expect((await load(folder.path)).a).toMatchObject({ steps: 3, prompt: "Text" })
  })

  it.each(["Just text", "---\nnot closed: true", "----\nsteps: 3\n---\nx"])(
    "takes all of %j for text",
    async (text) => {
      await using folder = await Folder.create({ "agent/a.md": text })
      expect((await load(folder.path)).a).toMatchObject({ prompt: text, steps: undefined })
    },
  )

  it("resolves when there are no folders", async () => {
    await using folder = await Folder.create()
    expect(await load(folder.path, folder.join("missing"))).toEqual({})
  })

  it.each([
    ["---\nsteps: many\n---\n", 2, 8, /^steps: /],
    ["---\nmode: boss\n---\n", 2, 7, /^mode: /],
    ["---\nmode: all\npermission:\n  bash:\n    ls: alow\n---\n", 5, 9, /^permission\.bash\.ls: /],
    ["---\nmodel: haiku\n---\n", 2, 8, /^model: expected a provider and a model/],
    ["---\ndescription: one: two\n---\n", 2, 14, /mapping/i],
    ["---\na: 1\na: 2\n---\n", 3, 1, /unique/],
    ["---\ndescription: *nowhere\n---\n", 2, 14, /alias/],
    ["---\n- a\n- b\n---\n", 2, 1, /expected object/],
  ])("says what is wrong with %j, and where", async (text, line, column, reason) => {
    await using folder = await Folder.create({ "agent/a.md": text })
    const error = await load(folder.path).catch((error: unknown) => error)
    expect(ConfigurationError.is(error)).toBe(true)
    expect(error).toMatchObject({
      source: folder.join("agent/a.md"),
      problems: [{ line, column, reason: expect.stringMatching(reason) }],
    })
  })
})

async function load(...folders: string[]) {
  return (await loadAgents(folders.map((path) => ({ path })))).definitions
}
