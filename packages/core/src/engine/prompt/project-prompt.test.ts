import { expect, it } from "vitest"
import { emptyRepository } from "../../project/testing/repository.js"
import { EngineBench } from "../testing/engine-bench.js"
import { Folder } from "../testing/folder.js"
import { says } from "../testing/scripted-driver.js"
import { projectPrompt } from "./project-prompt.js"

it("tells a model of the folder of the session, and of the repository and instructions around it", async () => {
  await using folder = await Folder.create({
    "inner/main.ts": "",
    "AGENTS.md": "Be careful.",
    "more.md": "Be fast.",
  })
  await emptyRepository(folder.path)
  const project = { id: "acme", worktree: folder.path, vcs: "git" }
  const environment = { platform: "linux", variables: { HOME: folder.join("home") } } as const
  const systemPrompt = projectPrompt(project, { instructions: ["more.md"], environment })
  const bench = new EngineBench({ project, systemPrompt, replies: [says("Hello")] })
  const { id } = await bench.sessions.create({ directory: folder.join("inner") })
  await bench.prompt(id, "Hi")

  const [request] = bench.driver.requests
  const system = JSON.stringify(request?.messages.filter(({ role }) => role === "system"))
  expect(system).toContain(`Working directory: ${folder.join("inner")}`)
  expect(system).toContain("Is directory a git repo: yes")
  expect(system).toContain("Be careful.")
  expect(system).toContain("Be fast.")
})
