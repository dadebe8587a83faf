import { expect, it } from "vitest"
import { Projects } from "../../project/projects.js"
import { Workbench } from "../../session/testing/workbench.js"
import { MemoryStorage } from "../../storage/memory-storage.js"
import { configureAgents } from "../agents/configure-agents.js"
import { EngineBench, echo, toolStates, typesOf } from "../testing/engine-bench.js"
import { Folder } from "../testing/folder.js"
import { calls, says } from "../testing/scripted-driver.js"
import { engineSettings } from "./engine-settings.js"
import { loadConfiguration } from "./load-configuration.js"

const shareService = {
  create: async ({ id }: { id: string }) => ({ id, secret: "secret", url: `https://example.com/${id}` }),
  remove: async () => undefined,
}

it("OPENCODE_DISABLE_AUTOCOMPACT leaves a full conversation as it is", async () => {
  const settings = await settingsWith({ OPENCODE_DISABLE_AUTOCOMPACT: "1" })
  const limit = { context: 2_000, output: 1_000 }
  const bench = new EngineBench({ settings, limit, replies: [says("Long"), says("Longer")] })
  const { sessionID } = await bench.ask("First")
  await bench.prompt(sessionID, "Second")
  expect((await bench.sessions.messages.load(sessionID)).flatMap(typesOf)).not.toContain("compaction")
})

it("OPENCODE_DISABLE_PRUNE leaves old outputs of tools in the context", async () => {
  const settings = await settingsWith({ OPENCODE_DISABLE_PRUNE: "1" })
  const turn = (id: string) => [calls("echo", { text: id + "x".repeat(200_000) }, id), says("Yes")]
  const bench = new EngineBench({ settings, tools: [echo], replies: ["1", "2", "3", "4"].flatMap(turn) })
  const { sessionID } = await bench.ask("One")
  for (const text of ["Two", "Three", "Four"]) await bench.prompt(sessionID, text)
  const outputs = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
  expect(outputs).toHaveLength(4)
  expect(JSON.stringify(outputs)).not.toContain("compacted")
})

it("OPENCODE_EXPERIMENTAL_WATCHER tells of files that change", async () => {
  await using folder = await Folder.create()
  const settings = await settingsWith({ OPENCODE_EXPERIMENTAL_WATCHER: "1" })
  const bench = new EngineBench({ settings, worktree: folder.path })
  const told = bench.next("file.watcher.updated")
  await folder.write("new.ts", "")
  expect(await told).toEqual({ file: folder.join("new.ts"), event: "add" })
  await bench.engine.close()
})

it("OPENCODE_AUTO_SHARE shares new sessions, unless configuration has sharing disabled", async () => {
  for (const [text, shared] of [
    ["{}", 1],
    ['{ "share": "manual" }', 1],
    ['{ "share": "disabled" }', 0],
  ] as const) {
    const { configuration } = await load({ OPENCODE_AUTO_SHARE: "1", OPENCODE_CONFIG_CONTENT: text })
    const { sessions, storage } = new Workbench({ shareService, share: configuration.share })
    await sessions.create()
    await sessions.close()
    expect(await storage.list(["session_share"])).toHaveLength(shared)
  }
})

it("OPENCODE_FAKE_VCS lets a folder without a repository pass for git", async () => {
  await using folder = await Folder.create()
  const { flags } = await load({ OPENCODE_FAKE_VCS: "git" })
  const projects = new Projects({ storage: new MemoryStorage(), fakeVcs: flags.fakeVcs })
  expect(await projects.resolve(folder.path)).toMatchObject({ id: "global", vcs: "git" })
})

it("OPENCODE_PERMISSION decides, whatever configuration says, what models may do", async () => {
  const { configuration } = await load({
    OPENCODE_PERMISSION: '{ "echo": "deny" }',
    OPENCODE_CONFIG_CONTENT: '{ "permission": { "echo": "allow" } }',
  })
  const agents = configureAgents({ configuration })
  const bench = new EngineBench({ agents, tools: [echo], replies: [says("Hello")] })
  await bench.ask("Hi")
  expect(bench.driver.requests[0]?.tools.map(({ name }) => name)).toEqual(["task"])
})

async function settingsWith(variables: Record<string, string>) {
  return { ...engineSettings(await load(variables)), titles: false }
}

/** The configuration of a folder without any, in this environment. */
async function load(variables: Record<string, string>) {
  await using folder = await Folder.create()
  const environment = { platform: "linux", variables: { HOME: folder.path, ...variables } } as const
  return await loadConfiguration({ directory: folder.path, worktree: folder.path, environment })
}
