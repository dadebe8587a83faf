import { describe, expect, it } from "vitest"
import { evaluatePermission } from "../../permission/evaluate-permission.js"
import { Folder } from "../testing/folder.js"
import { ConfigurationError } from "./configuration-error.js"
import { type LoadConfigurationOptions, loadConfiguration } from "./load-configuration.js"

describe("layers", () => {
  it("go over each other, from the settings of the user to the environment", async () => {
    await using folder = await Folder.create({
      "home/.config/opencode/config.json": layer("config.json"),
      "home/.config/opencode/opencode.json": layer("user json"),
      "home/.config/opencode/opencode.jsonc": layer("user jsonc"),
      "opencode.json": '{ "layer": "outside of the worktree" }',
      "work/opencode.json": layer("work json"),
      "work/opencode.jsonc": layer("work jsonc"),
      "work/.opencode/opencode.json": layer("work .opencode"),
      "work/inner/opencode.jsonc": layer("inner"),
      "work/inner/.opencode/opencode.jsonc": layer("inner .opencode"),
      "work/inner/deeper/opencode.json": '{ "layer": "below the directory" }',
      "elsewhere/custom.jsonc": layer("named"),
    })
    const { configuration, sources } = await load(folder, {
      variables: {
        OPENCODE_CONFIG: folder.join("elsewhere/custom.jsonc"),
        OPENCODE_CONFIG_CONTENT: layer("content"),
      },
      remote: async () => [{ source: "https://example.com", text: layer("remote") }],
    })
    expect(configuration.plugin).toEqual([
      "config.json",
      "user json",
      "user jsonc",
      "remote",
      "work json",
      "work jsonc",
      "inner",
      "work .opencode",
      "inner .opencode",
      "named",
      "content",
    ])
    expect(configuration).toMatchObject({ layer: "content" })
    expect(sources).toHaveLength(11)
    expect(sources.slice(-2)).toEqual([folder.join("elsewhere/custom.jsonc"), "OPENCODE_CONFIG_CONTENT"])
  })

  it("may all be missing", async () => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    const { configuration, sources } = await load(folder)
    expect(configuration).toEqual({ permission: [], limits: [], agent: {}, plugin: [], instructions: [] })
    expect(sources).toEqual([])
  })

  it("name the folders where agents may be defined, the weakest first", async () => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    const { folders } = await load(folder)
    const expected = ["home/.config/opencode", "work/.opencode", "work/inner/.opencode"]
    expect(folders).toEqual(expected.map((path) => ({ path: folder.join(path) })))
  })

  it("find a relative OPENCODE_CONFIG from the directory", async () => {
    await using folder = await Folder.create({ "work/inner/mine.json": '{ "snapshot": false }' })
    const { configuration } = await load(folder, { variables: { OPENCODE_CONFIG: "mine.json" } })
    expect(configuration.snapshot).toBe(false)
  })
})

describe("references", () => {
  it("to variables and files are followed in files", async () => {
    await using folder = await Folder.create({
      "home/shared.md": "From home",
      "work/prompts/plan.md": "\nThink {env:NAME} first.\n",
      "work/opencode.jsonc": `{
        // {file:missing.md} in a comment is no reference
        "username": "{env:NAME}-{env:UNSET}",
        "agent": { "plan": { "prompt": "{file:./prompts/plan.md}", "description": "{file:~/shared.md}!" } },
        "plugin": ["{env:NAME}"]
      }`,
    })
    const { configuration } = await load(folder, { variables: { NAME: 'Ada "\\' } })
    expect(configuration).toMatchObject({
      username: 'Ada "\\-',
      agent: { plan: { prompt: "Think {env:NAME} first.", description: "From home!" } },
      plugin: ['Ada "\\'],
    })
  })

  it("are left alone in what comes from elsewhere", async () => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    const { configuration } = await load(folder, {
      variables: { TOKEN: "secret", OPENCODE_CONFIG_CONTENT: '{ "a": "{env:TOKEN}" }' },
      remote: async () => [{ source: "remote", text: '{ "b": "{env:TOKEN} {file:/etc/hostname}" }' }],
    })
    expect(configuration).toMatchObject({ a: "{env:TOKEN}", b: "{env:TOKEN} {file:/etc/hostname}" })
  })

  it("to a file that is missing are a problem with a place", async () => {
    await using folder = await Folder.create({
      "work/opencode.json": '{\n  "agent": {\n    "x": { "prompt": "{file:gone.md}" } } }',
    })
    const problem = { line: 3, column: 22, reason: `there is no file ${folder.join("work/gone.md")}` }
    await expect(load(folder)).rejects.toMatchObject({ problems: [problem] })
  })
})

describe("flags", () => {
  it("have the last word", async () => {
    await using folder = await Folder.create({
      "work/opencode.json":
        '{ "compaction": { "auto": true, "prune": true, "reserved": 1 }, "share": "manual", "permission": "allow" }',
    })
    const { configuration, flags } = await load(folder, {
      variables: {
        OPENCODE_DISABLE_AUTOCOMPACT: "1",
        OPENCODE_DISABLE_PRUNE: "true",
        OPENCODE_AUTO_SHARE: "1",
        OPENCODE_PERMISSION: '{ "bash": "deny" }',
      },
    })
    expect(configuration.compaction).toEqual({ auto: false, prune: false, reserved: 1 })
    expect(configuration.share).toBe("auto")
    expect(evaluatePermission("bash", "ls", configuration.permission).action).toBe("deny")
    expect(evaluatePermission("edit", "a", configuration.permission).action).toBe("allow")
    expect(flags.disablePrune).toBe(true)
  })
})

describe("problems", () => {
  it("of a file come with its path, line, column and reason", async () => {
    await using folder = await Folder.create({
      "work/opencode.jsonc": '{\n  "permission": {\n    "edit": "nope"\n  }\n}',
    })
    const error = await load(folder).catch((error: unknown) => error)
    expect(ConfigurationError.is(error)).toBe(true)
    expect(error).toMatchObject({
      source: folder.join("work/opencode.jsonc"),
      problems: [{ line: 3, column: 13, reason: expect.stringMatching(/^permission\.edit: /) }],
    })
    expect(String(error)).not.toContain("nope")
  })

  it.each([
    ["OPENCODE_CONFIG_CONTENT", "{", /OPENCODE_CONFIG_CONTENT:1:2: close brace expected/],
    ["OPENCODE_PERMISSION", '{ "edit": 1 }', /OPENCODE_PERMISSION:1:11: edit: /],
    ["OPENCODE_CONFIG", "missing.json", /missing\.json:1:1: there is no such file, though OPENCODE_CONFIG/],
  ])("of %s name it", async (name, value, expected) => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    await expect(load(folder, { variables: { [name]: value } })).rejects.toThrow(expected)
  })

  it("of what a host hands out name the host", async () => {
    await using folder = await Folder.create({ "work/inner/x": "" })
    const remote = async () => [{ source: "https://example.com", text: '{ "model": 1 }' }]
    await expect(load(folder, { remote })).rejects.toThrow(/^https:\/\/example\.com:1:12: model: /)
  })
})

it("refuses misspelt options", async () => {
  // @ts-expect-error: no such option
  await expect(loadConfiguration({ directory: "/", worktree: "/", enviroment: {} })).rejects.toThrow(
    /did you mean "environment"/,
  )
})

interface LoadOptions extends Pick<LoadConfigurationOptions, "remote" | "isTrusted"> {
  readonly variables?: Record<string, string>
}

function load(folder: Folder, { variables, remote, isTrusted = true }: LoadOptions = {}) {
  return loadConfiguration({
    directory: folder.join("work/inner"),
    worktree: folder.join("work"),
    isTrusted,
    environment: { platform: "linux", variables: { HOME: folder.join("home"), ...variables } },
    remote,
  })
}

function layer(name: string): string {
  return `{ "plugin": ["${name}"], "layer": "${name}", }`
}
