import { mkdir, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import { describe, expect, it } from "vitest"
import { EngineBench } from "./testing/engine-bench.js"
import { Folder } from "./testing/folder.js"
import { says } from "./testing/scripted-driver.js"

describe("plan mode", () => {
  it("is explained to the agent that plans, and ended for the one that takes over, without storing that", async () => {
    await using folder = await Folder.create()
    const project = { id: "acme", worktree: folder.path, vcs: "git" }
    const bench = new EngineBench({ project, replies: [says("A plan"), says("Built"), says("Polished")] })
    const { sessionID } = await bench.ask("Make a plan", { agent: "plan" })
    const plan = bench.sessions.planPath(await bench.sessions.get(sessionID))
    await mkdir(dirname(plan), { recursive: true })
    await writeFile(plan, "1. Build")
    await bench.prompt(sessionID, "Build it", { agent: "build" })
    await bench.prompt(sessionID, "Polish it", { agent: "build" })

    const last = bench.driver.requests.map(({ messages }) => JSON.stringify(messages.at(-1)?.content))
    expect(last[0]).toContain("You are planning")
    expect(last[0]).toContain(plan)
    expect(last[1]).toContain("Planning is over")
    expect(last[1]).toContain(plan)
    expect(last[2]).not.toContain("system-reminder")
    const questions = (await bench.sessions.messages.load(sessionID)).filter(
      ({ info }) => info.role === "user",
    )
    expect(questions.map(({ parts }) => parts.length)).toEqual([1, 1, 1])
  })

  it("needs no place for plans", async () => {
    const bench = new EngineBench({ replies: [says("A plan")] })
    await bench.ask("Make a plan", { agent: "plan" })
    expect(JSON.stringify(bench.driver.requests[0]?.messages.at(-1))).toContain(
      "Present the plan in your answer",
    )
  })
})
