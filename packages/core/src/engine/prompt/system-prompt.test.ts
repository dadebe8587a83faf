import { describe, expect, it } from "vitest"
import { emptyRepository } from "../../project/testing/repository.js"
import type { Model } from "../model.js"
import { Folder } from "../testing/folder.js"
import { type ModelFamily, modelFamily } from "./model-family.js"
import { providerHeader, providerPrompt } from "./provider-prompt.js"
import { type SystemPromptOptions, systemPrompt } from "./system-prompt.js"

const model: Model = {
  providerID: "anthropic",
  modelID: "claude-sonnet-4-5",
  limit: { context: 200_000, output: 64_000 },
}

describe("modelFamily", () => {
  it.each([
    ["gpt-5", "codex"],
    ["openai/gpt-5.1-codex", "codex"],
    ["gpt-4.1", "gpt"],
    ["o1", "gpt"],
    ["o3-mini", "gpt"],
    ["google/gemini-2.5-pro", "gemini"],
    ["us.anthropic.claude-sonnet-4-5", "claude"],
    ["Claude-Opus", "claude"],
    ["polaris-alpha", "polaris"],
    ["qwen3-coder", "other"],
    ["solo10b", "other"],
  ] satisfies [string, ModelFamily][])("of %s is %s", (modelID, family) => {
    expect(modelFamily({ modelID })).toBe(family)
  })

  it("goes by the provider's name for the model", () => {
    expect(modelFamily({ modelID: "my-model", apiID: "gemini-2.5-pro" })).toBe("gemini")
  })
})

describe("providerPrompt", () => {
  it("differs by family, and speaks of todos except where the family does without", () => {
    const ids = ["gpt-5", "gpt-4.1", "gemini-2.5-pro", "claude-opus", "polaris-alpha", "qwen3"]
    const prompts = ids.map((modelID) => providerPrompt({ modelID }))
    expect(new Set(prompts).size).toBe(ids.length)
    expect(providerPrompt({ modelID: "claude-opus" })).toContain("todos")
    expect(providerPrompt({ modelID: "qwen3" })).not.toContain("todos")
  })

  it("poses as no other product", () => {
    const ids = ["gpt-5", "gpt-4.1", "gemini-2.5-pro", "claude-opus", "polaris-alpha", "qwen3"]
    const texts = [...ids.map((modelID) => providerPrompt({ modelID })), providerHeader(model)]
    for (const text of texts) expect(text).not.toMatch(/claude|codex|anthropic|openai|google|opencode/i)
  })
})

describe("systemPrompt", () => {
  it("has the layers in order: header, prompt, environment, instructions, addition", async () => {
    await using folder = await Folder.create({ "AGENTS.md": "Be careful.", "extra.md": "Be fast." })
    const layers = await systemPrompt(options(folder, { instructions: ["extra.md"], system: "Be nice." }))
    expect(layers).toEqual([
      providerHeader(model),
      providerPrompt(model),
      expect.stringMatching(/^<env>/),
      expect.stringMatching(/Be careful\.\n\nInstructions from: .*extra\.md\nBe fast\.$/),
      "Be nice.",
    ])
  })

  it("leaves out layers that have nothing to say", async () => {
    await using folder = await Folder.create()
    const layers = await systemPrompt(
      options(folder, { model: { ...model, providerID: "openrouter" }, system: "" }),
    )
    expect(layers).toEqual([providerPrompt(model), expect.stringMatching(/^<env>/)])
  })

  it("has the prompt of the agent in place of the one for the model", async () => {
    await using folder = await Folder.create()
    const layers = await systemPrompt(options(folder, { agent: { prompt: "You review." } }))
    expect(layers[1]).toBe("You review.")
    expect(layers).not.toContain(providerPrompt(model))
  })

  it("lets others choose the header", async () => {
    await using folder = await Folder.create()
    const header = ({ modelID }: Model) => `Header for ${modelID}`
    expect((await systemPrompt(options(folder, { header })))[0]).toBe("Header for claude-sonnet-4-5")
    expect((await systemPrompt(options(folder, { header: () => undefined })))[0]).toBe(providerPrompt(model))
  })

  it("tells directory, platform and date, and no files outside of repositories", async () => {
    await using folder = await Folder.create({ "secret.txt": "" })
    const environment = (await systemPrompt(options(folder)))[2]
    expect(environment).toBe(
      [
        "<env>",
        `  Working directory: ${folder.path}`,
        "  Is directory a git repo: no",
        "  Platform: linux",
        "  Today's date: Tue Jul 14 2026",
        "</env>",
      ].join("\n"),
    )
  })

  it("shows the files of a repository, except those that git ignores", async () => {
    await using folder = await Folder.create({
      ".gitignore": "dist/\n",
      "dist/index.js": "",
      "src/index.ts": "",
      "line\nbreak.ts": "",
    })
    await emptyRepository(folder.path)
    const environment = (await systemPrompt(options(folder, { isRepository: true })))[2]
    expect(environment).toContain("  Is directory a git repo: yes\n")
    expect(environment).toMatch(/\n<files>\nsrc\/\n {2}index\.ts\n\.gitignore\nline\?break\.ts\n<\/files>$/)
  })

  it("shows at most 200 files", async () => {
    const files = Array.from({ length: 230 }, (_, index) => [`f${index}.txt`, ""])
    await using folder = await Folder.create(Object.fromEntries(files))
    await emptyRepository(folder.path)
    const environment = (await systemPrompt(options(folder, { isRepository: true })))[2]
    expect(environment?.match(/^f\d+\.txt$/gm)).toHaveLength(200)
    expect(environment).toContain("[30 more]")
  })
})

function options(folder: Folder, given: Partial<SystemPromptOptions> = {}): SystemPromptOptions {
  return {
    model,
    agent: {},
    directory: folder.path,
    worktree: folder.path,
    isRepository: false,
    environment: { platform: "linux", variables: { HOME: folder.join("home") } },
    clock: () => new Date(2026, 6, 14, 12).getTime(),
    ...given,
  }
}
