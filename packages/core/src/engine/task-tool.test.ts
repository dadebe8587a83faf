import { describe, expect, it } from "vitest"
import type { ToolPart } from "../model/content-part.js"
import type { Agent } from "./agent.js"
import { apiError, EngineBench, echo, textsOf, toolOf, toolStates, typesOf } from "./testing/engine-bench.js"
import { calls, fails, hangs, says } from "./testing/scripted-driver.js"

const task = { description: "look around", prompt: "Please say hello", subagent_type: "general" }

describe("the task tool", () => {
  it("has an agent work in a session of its own, stored as opencode 1.1.65 does, and gives back what it says", async () => {
    const bench = new EngineBench({
      tools: [echo],
      replies: [calls("task", task), says("Hello!"), says("It said hello")],
    })
    const { sessionID, answer } = await bench.ask("Delegate")
    expect(textsOf(answer)).toEqual(["It said hello"])

    const [child] = await bench.sessions.children(sessionID)
    expect(child).toMatchObject({
      parentID: sessionID,
      title: "look around (@general subagent)",
      permission: [
        { permission: "todowrite", pattern: "*", action: "deny" },
        { permission: "todoread", pattern: "*", action: "deny" },
        { permission: "task", pattern: "*", action: "deny" },
      ],
    })
    const [question, answered] = await bench.sessions.messages.load(child?.id as string)
    expect(question).toMatchObject({
      info: {
        agent: "general",
        model: { providerID: "mock", modelID: "large" },
        tools: { todowrite: false, todoread: false, task: false },
      },
      parts: [{ type: "text", text: "Please say hello" }],
    })
    expect(answered?.info).toMatchObject({ mode: "general", agent: "general", finish: "stop" })
    const [state] = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(state).toMatchObject({
      status: "completed",
      input: task,
      title: "look around",
      metadata: { sessionId: child?.id, model: { modelID: "large", providerID: "mock" } },
      output: expect.stringContaining("<task_result>\nHello!\n</task_result>"),
    })
    expect(bench.driver.requests[1]?.tools.map(({ name }) => name)).toEqual(["echo"])
  })

  it("goes on with an earlier task, but with no other session", async () => {
    const bench = new EngineBench()
    const { id: other } = await bench.sessions.create()
    const { id } = await bench.sessions.create()
    bench.driver.add(calls("task", task), says("Hello!"), says("Once"))
    await bench.prompt(id, "Delegate")
    const [child] = await bench.sessions.children(id)
    bench.driver.add(
      calls("task", { ...task, task_id: child?.id }, "call_2"),
      says("Hello again!"),
      calls("task", { ...task, task_id: other }, "call_3"),
      says("Twice"),
    )
    await bench.prompt(id, "Again")
    const states = (await bench.sessions.messages.load(id)).flatMap(toolStates)
    expect(states[1]).toMatchObject({ output: expect.stringContaining("Hello again!") })
    expect(states[2]).toMatchObject({
      status: "error",
      error: `Error: ${other} is no task that was given here`,
    })
    expect(await bench.sessions.children(id)).toHaveLength(1)
    expect(await bench.sessions.messages.load(other)).toEqual([])
  })

  it("tells which agents there are, and knows no others", async () => {
    const agents: Agent[] = [
      { name: "critic", mode: "all", description: "Finds faults", permission: [] },
      { name: "forbidden", mode: "subagent", permission: [] },
      {
        name: "chief",
        mode: "primary",
        permission: [{ permission: "task", pattern: "forbidden", action: "deny" }],
      },
    ]
    const bench = new EngineBench({
      agents,
      replies: [calls("task", { ...task, subagent_type: "forbidden" }), says("Pity")],
    })
    const { sessionID } = await bench.ask("Delegate", { agent: "chief" })
    const description = bench.driver.requests[0]?.tools.find(({ name }) => name === "task")?.description
    expect(description).toContain("- general: ")
    expect(description).toContain("- critic: Finds faults")
    expect(description).not.toContain("forbidden")
    expect(description).not.toContain("build")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { error: "Error: There is no agent forbidden for tasks; there are general, critic" },
    ])
  })

  it("asks for permission, unless the user has named the agent", async () => {
    const agents: Agent[] = [{ name: "shy", mode: "primary", permission: [] }]
    const bench = new EngineBench({
      agents,
      replies: [calls("task", task), calls("task", task), says("Hello!"), says("Done")],
    })
    const asked: string[] = []
    bench.bus.subscribe("permission.asked", ({ properties }) => {
      asked.push(properties.permission, ...properties.patterns)
      return bench.permissions.reply(properties.id, "reject")
    })
    await bench.ask("Delegate", { agent: "shy" })
    expect(asked).toEqual(["task", "general"])
    const parts = [{ type: "text", text: "Let it" } as const, { type: "agent", name: "general" } as const]
    const { answer } = await bench.ask("", { agent: "shy", parts })
    expect(textsOf(answer)).toEqual(["Done"])
    expect(asked).toHaveLength(2)
  })

  it("is always allowed for the agent that was asked about, and for no other", async () => {
    const agents: Agent[] = [
      { name: "shy", mode: "primary", permission: [] },
      { name: "critic", mode: "subagent", permission: [] },
    ]
    const bench = new EngineBench({
      agents,
      replies: [
        calls("task", task),
        says("Hello!"),
        calls("task", task, "call_2"),
        says("Hello!"),
        calls("task", { ...task, subagent_type: "critic" }, "call_3"),
        says("Hello!"),
        says("Done"),
      ],
    })
    const asked: string[] = []
    bench.bus.subscribe("permission.asked", ({ properties }) => {
      asked.push(...properties.patterns)
      return bench.permissions.reply(properties.id, "always")
    })
    await bench.ask("Delegate", { agent: "shy" })
    expect(asked).toEqual(["general", "critic"])
  })

  it("uses the model of the agent, if it has one", async () => {
    const agents: Agent[] = [
      { name: "own", mode: "subagent", model: { providerID: "mock", modelID: "own" }, permission: [] },
    ]
    const replies = [calls("task", { ...task, subagent_type: "own" }), says("Hello!"), says("Done")]
    const bench = new EngineBench({ agents, replies })
    await bench.ask("Delegate")
    expect(bench.driver.requests.map((request) => request.model.modelID)).toEqual(["large", "own", "large"])
  })

  it("tells the model when the agent fails", async () => {
    const bench = new EngineBench({ replies: [calls("task", task), fails(apiError(400)), says("Pity")] })
    const { sessionID } = await bench.ask("Delegate")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      {
        status: "error",
        error: expect.stringContaining("failed: Status 400"),
        metadata: { sessionId: expect.any(String) },
      },
    ])
  })

  it("cancels the session of the agent together with its own", async () => {
    const bench = new EngineBench({ replies: [calls("task", task), hangs({ type: "start-step" })] })
    const { id } = await bench.sessions.create()
    const begun = bench.next(
      "message.part.updated",
      ({ part }) => part.type === "step-start" && part.sessionID !== id,
    )
    const answering = bench.prompt(id, "Delegate")
    const { part } = await begun
    bench.engine.cancel(id)
    expect(toolStates(await answering)).toMatchObject([{ status: "error", error: "Tool execution aborted" }])
    await bench.engine.close()
    const [, answer] = await bench.sessions.messages.load(part.sessionID)
    expect(answer?.info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })

  it("ends where agents pass a task on for ever", async () => {
    const agents: Agent[] = [
      { name: "lazy", mode: "all", permission: [{ permission: "task", pattern: "*", action: "allow" }] },
    ]
    const pass = { ...task, subagent_type: "lazy" }
    const bench = new EngineBench({
      agents,
      replies: [
        ...Array.from({ length: 6 }, () => calls("task", pass)),
        ...Array.from({ length: 6 }, () => says("Fine")),
      ],
    })
    const { sessionID } = await bench.ask("Delegate", { agent: "lazy" })
    let depth = 0
    for (let [child] = await bench.sessions.children(sessionID); child !== undefined; depth++) {
      ;[child] = await bench.sessions.children(child.id)
    }
    expect(depth).toBe(5)
    expect(bench.driver.left).toBe(0)
  })

  it("gives way to a tool of that name", async () => {
    const own = toolOf("task", async () => ({ title: "", output: "mine" }))
    const bench = new EngineBench({ tools: [own], replies: [says("Yes")] })
    await bench.ask("Well?")
    expect(bench.driver.requests[0]?.tools).toMatchObject([{ name: "task", description: "task" }])
  })
})

describe("a subtask in a prompt", () => {
  const subtask = { type: "subtask", prompt: "Look", description: "look around", agent: "general" } as const

  it("is done first, without a model that calls for it, and then the conversation goes on", async () => {
    const bench = new EngineBench({ replies: [says("Looked"), says("All clear")] })
    const { sessionID, answer } = await bench.ask("", { parts: [subtask] })
    const messages = await bench.sessions.messages.load(sessionID)
    const [asked] = messages[0]?.parts ?? []
    expect(messages[1]?.info).toMatchObject({
      mode: "general",
      agent: "general",
      finish: "tool-calls",
      cost: 0,
    })
    expect(messages[1]?.parts).toMatchObject([
      {
        type: "tool",
        tool: "task",
        callID: asked?.id,
        state: {
          status: "completed",
          input: { description: "look around", prompt: "Look", subagent_type: "general" },
          output: expect.stringContaining("Looked"),
        },
      },
    ])
    expect(textsOf(answer)).toEqual(["All clear"])
    expect(messages).toHaveLength(3)
  })

  it("is done, each of several in turn", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("Two"), says("Both")] })
    const second = { ...subtask, description: "look again" }
    const { sessionID } = await bench.ask("", {
      parts: [subtask, second, { type: "text", text: "And tell me" }],
    })
    const messages = await bench.sessions.messages.load(sessionID)
    const titles = messages.flatMap(({ parts }) => parts.filter((part) => part.type === "tool")).map(titleOf)
    expect(titles).toEqual(["look around", "look again"])
    expect(messages.map(typesOf)).toEqual([
      ["subtask", "subtask", "text"],
      ["tool"],
      ["tool"],
      ["step-start", "text", "step-finish"],
    ])
  })

  it("of a command is followed by a word of the user", async () => {
    const bench = new EngineBench({ replies: [says("Reviewed"), says("Fine")] })
    const { sessionID } = await bench.ask("", { parts: [{ ...subtask, command: "review" }] })
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages[2]).toMatchObject({
      info: { role: "user", agent: "build" },
      parts: [{ synthetic: true }],
    })
    expect(textsOf(messages[3] as never)).toEqual(["Fine"])
  })

  it("that fails is told to the model, and not repeated", async () => {
    const bench = new EngineBench({ replies: [fails(apiError(400)), says("It failed")] })
    const { sessionID, answer } = await bench.ask("", { parts: [subtask] })
    expect(textsOf(answer)).toEqual(["It failed"])
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { status: "error" },
    ])
  })
})

function titleOf({ state }: ToolPart): unknown {
  return state.status === "completed" ? state.title : undefined
}
