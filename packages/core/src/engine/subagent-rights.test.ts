import { describe, expect, it } from "vitest"
import { rulesFromConfig } from "../permission/permission-config.js"
import type { Agent } from "./agent.js"
import { EngineBench, toolOf, toolStates } from "./testing/engine-bench.js"
import { calls, says } from "./testing/scripted-driver.js"
import type { Tool } from "./tool.js"

const task = { description: "change it", prompt: "Change it", subagent_type: "general" }
const subtask = { type: "subtask", prompt: "Change it", description: "change it", agent: "general" } as const

describe("a subagent", () => {
  it("of plan may not edit, though general may", async () => {
    const { bench, edited } = scene([calls("task", task), calls("edit", {}), says("Denied"), says("Done")])
    const { sessionID } = await bench.ask("Plan it", { agent: "plan" })
    expect(edited).toEqual([])
    expect(await childStates(bench, sessionID)).toMatchObject([
      { status: "error", error: expect.stringContaining("deny") },
    ])
  })

  it("of build may edit", async () => {
    const { bench, edited } = scene([calls("task", task), calls("edit", {}), says("Changed"), says("Done")])
    await bench.ask("Do it", { agent: "build" })
    expect(edited).toEqual(["src/a.ts"])
  })

  it("for a subtask in a prompt has no more rights than the agent of the prompt", async () => {
    const { bench, edited } = scene([calls("edit", {}), says("Denied"), says("Done")])
    await bench.ask("", { parts: [{ ...subtask, command: "change" }], agent: "plan" })
    expect(edited).toEqual([])
  })

  it("is not offered the tools that the user message switches off", async () => {
    const { bench } = scene([calls("task", task), says("Nothing to edit with"), says("Done")])
    await bench.ask("Do it", { tools: { edit: false } })
    expect(bench.driver.requests[1]?.tools.map(({ name }) => name)).not.toContain("edit")
  })

  it("of a subagent has no more rights than the first caller", async () => {
    const { bench, edited } = scene([
      calls("task", { ...task, subagent_type: "chief" }),
      calls("task", task),
      calls("edit", {}),
      says("Denied"),
      says("Done"),
      says("Done"),
    ])
    await bench.ask("Plan it", { agent: "plan" })
    expect(edited).toEqual([])
  })

  it("goes on with a task under the rights of the agent that calls now", async () => {
    const { bench, edited } = scene([calls("task", task), calls("edit", {}), says("Changed"), says("Done")])
    const { sessionID } = await bench.ask("Do it", { agent: "build" })
    const [child] = await bench.sessions.children(sessionID)
    bench.driver.add(
      calls("task", { ...task, task_id: child?.id }, "call_2"),
      calls("edit", {}),
      says("Denied"),
      says("Done"),
    )
    await bench.prompt(sessionID, "Plan the rest", { agent: "plan" })
    expect(edited).toEqual(["src/a.ts"])
  })

  it("keeps to its limits when it is resumed after a crash", async () => {
    const { bench, edited } = scene([calls("task", task), says("Looked"), says("Done")])
    const { sessionID } = await bench.ask("Plan it", { agent: "plan" })
    const [child] = await bench.sessions.children(sessionID)
    await bench.engine.prompt(child?.id as string, {
      parts: [{ type: "text", text: "Go on" }],
      agent: "general",
      noReply: true,
    })
    const { bench: later, edited: editedLater } = scene([calls("edit", {}), says("Denied")], bench)
    await later.engine.resume(child?.id as string)
    expect([...edited, ...editedLater]).toEqual([])
  })

  it("keeps what its own rules deny, whatever the caller may do", async () => {
    const { bench, edited } = scene([
      calls("task", { ...task, subagent_type: "reader" }),
      calls("edit", {}),
      says("Denied"),
      says("Done"),
    ])
    await bench.ask("Do it", { agent: "build" })
    expect(edited).toEqual([])
  })
})

describe("the tools that a user message switches off", () => {
  it("stay off after the command of a subtask", async () => {
    const { bench } = scene([says("Looked"), says("Done")])
    await bench.ask("", { parts: [{ ...subtask, command: "look" }], tools: { edit: false } })
    expect(bench.driver.requests[1]?.tools.map(({ name }) => name)).not.toContain("edit")
  })

  it("stay off after a summary", async () => {
    const { bench } = scene([calls("other", {}), says("Summary"), says("Done")], undefined, {
      context: 2_000,
      output: 1_000,
    })
    await bench.ask("Do it", { tools: { edit: false } })
    const [first, , last] = bench.driver.requests
    expect(first?.tools.map(({ name }) => name)).not.toContain("edit")
    expect(last?.tools.map(({ name }) => name)).not.toContain("edit")
  })
})

function scene(
  replies: ReturnType<typeof calls>[],
  earlier?: EngineBench,
  limit?: { context: number; output: number },
) {
  const edited: string[] = []
  const edit: Tool = toolOf("edit", async (_, call) => {
    await call.ask({ permission: "edit", patterns: ["src/a.ts"] })
    edited.push("src/a.ts")
    return { title: "", output: "edited" }
  })
  const other = toolOf("other", async () => ({ title: "", output: "" }))
  const agents: Agent[] = [
    { name: "chief", mode: "all", permission: rulesFromConfig({ "*": "allow", task: "allow" }) },
    { name: "reader", mode: "subagent", permission: rulesFromConfig({ "*": "allow", edit: "deny" }) },
  ]
  const bench = new EngineBench({
    tools: [edit, other],
    agents,
    replies,
    ...(earlier && { storage: earlier.storage }),
    ...(limit && { limit }),
  })
  return { bench, edited }
}

async function childStates(bench: EngineBench, sessionID: string) {
  const [child] = await bench.sessions.children(sessionID)
  return (await bench.sessions.messages.load(child?.id as string)).flatMap(toolStates)
}
