import { describe, expect, it } from "vitest"
import type { AssistantMessage } from "../model/assistant-message.js"
import type { Agent } from "./agent.js"
import { EngineBench, echo, large, textsOf, toolOf, typesOf } from "./testing/engine-bench.js"
import { calls, says, step, textOf } from "./testing/scripted-driver.js"

describe("prompt", () => {
  it("stores a question and its answer as opencode 1.1.65 does", async () => {
    const reasoning = [
      { type: "reasoning-start", id: "r" },
      { type: "reasoning-delta", id: "r", text: "Hm. " },
      { type: "reasoning-end", id: "r" },
    ] as const
    const bench = new EngineBench({ replies: [step("stop", reasoning, textOf("All is well. "))] })
    const { sessionID, answer } = await bench.ask("How are you?")
    const [question, stored] = await bench.sessions.messages.load(sessionID)

    expect(question?.info).toMatchObject({
      role: "user",
      agent: "build",
      model: { providerID: "mock", modelID: "large" },
      time: { created: bench.now },
      summary: { diffs: [] },
    })
    expect(question?.parts).toMatchObject([{ type: "text", text: "How are you?" }])
    expect(stored).toEqual(answer)
    expect(answer.info).toEqual({
      id: answer.info.id,
      sessionID,
      role: "assistant",
      time: { created: bench.now + 1, completed: bench.now + 1 },
      parentID: question?.info.id,
      modelID: "large",
      providerID: "mock",
      mode: "build",
      agent: "build",
      path: { cwd: "/home/dev/acme", root: "/home/dev/acme" },
      cost: 0.003645,
      tokens: { total: 1250, input: 900, output: 50, reasoning: 7, cache: { read: 300, write: 0 } },
      finish: "stop",
    })
    expect(answer.parts).toMatchObject([
      { type: "step-start" },
      { type: "reasoning", text: "Hm.", time: { start: bench.now, end: bench.now } },
      { type: "text", text: "All is well.", time: { start: bench.now, end: bench.now } },
      { type: "step-finish", reason: "stop", cost: 0.003645, tokens: { total: 1250 } },
    ])
  })

  it("goes on, message by message, until the model has no more calls", async () => {
    const replies = [calls("echo", { text: "one" }), calls("echo", { text: "two" }, "call_2"), says("Done")]
    const bench = new EngineBench({ tools: [echo], replies })
    const { sessionID, answer } = await bench.ask("Twice, please")
    const messages = await bench.sessions.messages.load(sessionID)

    expect(messages.map(({ info }) => (info as AssistantMessage).finish)).toEqual([
      undefined,
      "tool-calls",
      "tool-calls",
      "stop",
    ])
    expect(messages.slice(1).map(({ info }) => (info as AssistantMessage).parentID)).toEqual(
      Array(3).fill(messages[0]?.info.id),
    )
    expect(messages.slice(1, 3).map(typesOf)).toEqual(Array(2).fill(["step-start", "tool", "step-finish"]))
    expect(textsOf(answer)).toEqual(["Done"])
    expect(bench.driver.requests[2]?.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "tool",
      "assistant",
      "tool",
    ])
  })

  it("asks with what the agent, the question and the rules say", async () => {
    const poet: Agent = {
      name: "poet",
      mode: "primary",
      prompt: "You are a poet.",
      temperature: 0.9,
      topP: 0.5,
      options: { effort: "high" },
      permission: [{ permission: "secret", pattern: "*", action: "deny" }],
    }
    const tools = [
      echo,
      toolOf("secret", async () => ({ title: "", output: "" })),
      toolOf("off", async () => ({ title: "", output: "" })),
    ]
    const bench = new EngineBench({
      agents: [poet],
      tools,
      replies: [says("Roses")],
    })
    const { sessionID } = await bench.ask("A rhyme", {
      agent: "poet",
      system: "Be brief.",
      tools: { off: false },
    })
    const [request] = bench.driver.requests

    expect(request).toMatchObject({
      sessionID,
      temperature: 0.9,
      topP: 0.5,
      maxOutputTokens: 8_000,
      providerOptions: { effort: "high" },
      messages: [
        { role: "system", content: "You are a poet." },
        { role: "system", content: "Be brief." },
        { role: "user", content: [{ type: "text", text: "A rhyme" }] },
      ],
    })
    expect(request?.tools.map(({ name }) => name)).toEqual(["echo", "task"])
    expect(request?.tools[0]?.inputSchema).toMatchObject({
      type: "object",
      properties: { text: { type: "string" } },
      required: ["text"],
    })
  })

  it("uses the model of the prompt, then of the agent, then the one that was used last, then the default", async () => {
    const model = (modelID: string) => ({ providerID: "mock", modelID })
    const agents: Agent[] = [{ name: "own", mode: "primary", model: model("own"), permission: [] }]
    const bench = new EngineBench({
      agents,
      replies: [1, 2, 3, 4].map(() => says("Yes")),
    })
    const { sessionID } = await bench.ask("One")
    await bench.prompt(sessionID, "Two", { agent: "own" })
    await bench.prompt(sessionID, "Three")
    await bench.prompt(sessionID, "Four", { model: model("given"), agent: "own" })
    expect(bench.driver.requests.map((request) => request.model.modelID)).toEqual([
      "large",
      "own",
      "own",
      "given",
    ])
  })

  it("with noReply stores the question and asks nobody", async () => {
    const bench = new EngineBench()
    const { sessionID, answer } = await bench.ask("Note this", { noReply: true, messageID: "msg_given" })
    expect(answer.info).toMatchObject({ id: "msg_given", role: "user" })
    expect(await bench.sessions.messages.load(sessionID)).toEqual([answer])
    expect(bench.statuses).toEqual([])
  })

  it.each([
    ["no parts", { parts: [] }, "INVALID_PROMPT"],
    ["a part that users do not write", { parts: [{ type: "retry" }] }, "INVALID_PROMPT"],
    ["an id that is none", { parts: [{ type: "text", text: "Hi" }], messageID: "mine" }, "INVALID_RECORD"],
    ["an unknown agent", { parts: [{ type: "text", text: "Hi" }], agent: "nobody" }, "NOT_FOUND"],
    [
      "an unknown agent for a subtask",
      { parts: [{ type: "subtask", agent: "nobody", prompt: "", description: "" }] },
      "NOT_FOUND",
    ],
  ])("refuses %s, and stores nothing", async (_, input, code) => {
    const bench = new EngineBench()
    const { id } = await bench.sessions.create()
    await expect(bench.engine.prompt(id, input as never)).rejects.toMatchObject({ code })
    expect(await bench.sessions.messages.load(id)).toEqual([])
  })

  it("removes what was reverted before it adds the question", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("Two")] })
    const { sessionID } = await bench.ask("First")
    const [first] = await bench.sessions.messages.load(sessionID)
    await bench.sessions.revert(sessionID, { messageID: first?.info.id as string })
    await bench.prompt(sessionID, "Second")
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages.flatMap(textsOf)).toEqual(["Second", "Two"])
  })

  it("answers a question although the clock was set back since the last answer", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("Two")] })
    const { sessionID } = await bench.ask("First")
    bench.now -= 3_600_000
    await bench.prompt(sessionID, "Second")
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages.flatMap(textsOf)).toEqual(["First", "One", "Second", "Two"])
  })

  it("rejects when the model is not there, and says so to listeners", async () => {
    const bench = new EngineBench({
      models: {
        default: large,
        get: async () => {
          throw new Error("There is no model large; configure one")
        },
      },
    })
    await expect(bench.ask("Hello")).rejects.toThrow("There is no model large")
    expect(bench.events.find(({ type }) => type === "session.error")?.properties).toMatchObject({
      error: { name: "UnknownError", data: { message: "There is no model large; configure one" } },
    })
    expect(bench.statuses).toEqual(["busy", "idle"])
  })
})

describe("the step limit", () => {
  const agents: Agent[] = [{ name: "brief", mode: "primary", steps: 2, permission: [] }]

  it("reminds the model at its last step, and then ends the run", async () => {
    const bench = new EngineBench({
      agents,
      tools: [echo],
      replies: [calls("echo", { text: "a" }), calls("echo", { text: "b" }, "call_2"), says("Never said")],
    })
    const { answer } = await bench.ask("Go", { agent: "brief" })
    expect(bench.driver.requests[0]?.messages.at(-1)).toMatchObject({ role: "user" })
    expect(bench.driver.requests[1]?.messages.at(-1)).toMatchObject({ role: "assistant" })
    expect(answer.info).toMatchObject({ finish: "tool-calls" })
    expect(bench.driver.left).toBe(1)
  })

  it("counts anew for the next question", async () => {
    const bench = new EngineBench({
      agents,
      tools: [echo],
      replies: [
        calls("echo", { text: "a" }),
        says("One"),
        calls("echo", { text: "b" }, "call_2"),
        says("Two"),
      ],
    })
    const { sessionID } = await bench.ask("First", { agent: "brief" })
    expect(textsOf(await bench.prompt(sessionID, "Second", { agent: "brief" }))).toEqual(["Two"])
  })
})

it("refuses misspelt options, naming the likely spelling", () => {
  expect(() => new EngineBench({ setings: {} } as never)).toThrow('did you mean "settings"?')
  expect(() => new EngineBench({ settings: { titels: false } } as never)).toThrow('did you mean "titles"?')
})
