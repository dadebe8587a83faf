import { describe, expect, it } from "vitest"
import { z } from "zod"
import type { DriverEvent } from "./model-driver.js"
import { EngineBench, echo, Gate, textsOf, toolOf, toolStates, typesOf } from "./testing/engine-bench.js"
import { callOf, calls, says, step } from "./testing/scripted-driver.js"

describe("tools", () => {
  it("go from pending by running to completed", async () => {
    const bench = new EngineBench({ tools: [echo], replies: [calls("echo", { text: "hi" }), says("Done")] })
    const { sessionID } = await bench.ask("Go")
    const states = bench.events.flatMap(({ type, properties }) => {
      return type === "message.part.updated" && properties.part.type === "tool" ? [properties.part.state] : []
    })
    expect(states).toEqual([
      { status: "pending", input: {}, raw: "" },
      { status: "running", input: { text: "hi" }, time: { start: bench.now } },
      {
        status: "completed",
        input: { text: "hi" },
        output: "hi",
        title: "Echo",
        metadata: { length: 2 },
        time: { start: bench.now, end: bench.now },
      },
    ])
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toEqual([states[2]])
  })

  it("run side by side, and the step ends after the last", async () => {
    const order: string[] = []
    const gate = new Gate()
    const bench = new EngineBench({
      tools: [
        toolOf("first", async () => {
          order.push("first begins")
          await gate.opened
          order.push("first ends")
          return { title: "", output: "1" }
        }),
        toolOf("second", async () => {
          order.push("second")
          gate.open()
          return { title: "", output: "2" }
        }),
      ],
      replies: [step("tool-calls", callOf("first", {}, "a"), callOf("second", {}, "b")), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    expect(order).toEqual(["first begins", "second", "first ends"])
    const [, answer] = await bench.sessions.messages.load(sessionID)
    expect(answer && typesOf(answer)).toEqual(["step-start", "tool", "tool", "step-finish"])
  })

  it.each([
    ["fails", "broken", {}, "Error: Out of order"],
    ["throws before it begins", "hasty", {}, "Error: Too hasty"],
    [
      "is not there",
      "nothing",
      {},
      "Error: There is no tool nothing; there are broken, hasty, odd, strict, task",
    ],
    ["gives what tools do not give", "odd", {}, /output/],
    [
      "gets what it does not take",
      "strict",
      { count: "two" },
      /^Error: The input of strict is not valid.*count/s,
    ],
    ["gets no object", "strict", "{count", /^Error: The input of strict is not a JSON object/],
  ])("a tool that %s tells the model so, and the conversation goes on", async (_, name, input, error) => {
    const bench = new EngineBench({
      tools: [
        toolOf("broken", async () => {
          throw new Error("Out of order")
        }),
        toolOf("hasty", () => {
          throw new Error("Too hasty")
        }),
        toolOf("odd", async () => ({ title: "", output: 7 }) as never),
        toolOf("strict", async () => ({ title: "", output: "" }), { input: z.object({ count: z.number() }) }),
      ],
      replies: [calls(name, input), says("I see")],
    })
    const { sessionID, answer } = await bench.ask("Go")
    const [state] = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(state).toMatchObject({ status: "error", time: { start: bench.now, end: bench.now } })
    expect(state).toHaveProperty("error", typeof error === "string" ? error : expect.stringMatching(error))
    expect(textsOf(answer)).toEqual(["I see"])
    expect(bench.driver.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: [{ output: { type: "error-text" } }],
    })
  })

  it("are found by their names in the wrong case", async () => {
    const bench = new EngineBench({ tools: [echo], replies: [calls("Echo", { text: "hi" }), says("Done")] })
    const { sessionID } = await bench.ask("Go")
    const [, answer] = await bench.sessions.messages.load(sessionID)
    expect(answer?.parts[1]).toMatchObject({ tool: "echo", state: { status: "completed" } })
  })

  it("that take too long are ended, and told of", async () => {
    let isEnded = false
    const slow = toolOf(
      "slow",
      (_, { signal }) => {
        signal.addEventListener("abort", () => {
          isEnded = true
        })
        queueMicrotask(() => bench.runTimers())
        return new Promise(() => undefined)
      },
      { timeLimit: 500 },
    )
    const bench: EngineBench = new EngineBench({ tools: [slow], replies: [calls("slow", {}), says("Pity")] })
    const { sessionID, answer } = await bench.ask("Go")
    const [state] = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(state).toMatchObject({ status: "error", error: "Error: slow took longer than 500 ms" })
    expect(isEnded).toBe(true)
    expect(textsOf(answer)).toEqual(["Pity"])
  })

  it("tell how far they are while they work, but not afterwards", async () => {
    let report: () => Promise<void> = async () => undefined
    const bench = new EngineBench({
      tools: [
        toolOf("builder", async (_, call) => {
          report = () => call.report({ title: "Late" })
          await call.report({ title: "Building", metadata: { percent: 50 } })
          await call.report({ metadata: { percent: 90 } })
          return { title: "Built", output: "ok" }
        }),
      ],
      replies: [calls("builder", {}), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    await report()
    const states = bench.events.flatMap(({ type, properties }) => {
      return type === "message.part.updated" && properties.part.type === "tool" ? [properties.part.state] : []
    })
    expect(states.slice(2, 4)).toMatchObject([
      { status: "running", title: "Building", metadata: { percent: 50 } },
      { status: "running", title: "Building", metadata: { percent: 90 } },
    ])
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { status: "completed", title: "Built", metadata: {} },
    ])
    expect(states).toHaveLength(5)
  })

  it("give files, which are stored as parts and shown to the model", async () => {
    const url = "data:image/png;base64,AA=="
    const bench = new EngineBench({
      tools: [
        toolOf("camera", async () => ({
          title: "",
          output: "",
          attachments: [{ mime: "image/png", url, filename: "a.png" }],
        })),
      ],
      replies: [calls("camera", {}), says("Nice")],
    })
    const { sessionID } = await bench.ask("Go")
    const [state] = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(state).toMatchObject({
      attachments: [
        {
          type: "file",
          sessionID,
          mime: "image/png",
          url,
          filename: "a.png",
          id: expect.stringMatching(/^prt_/),
        },
      ],
    })
    expect(bench.driver.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ output: { type: "content", value: [{ type: "file", data: url }] } }],
    })
  })

  it("that the provider runs get their results from it", async () => {
    const events: DriverEvent[] = [
      { type: "tool-input-start", id: "a", toolName: "web_search", providerExecuted: true },
      {
        type: "tool-call",
        toolCallID: "a",
        toolName: "web_search",
        input: { q: "x" },
        providerExecuted: true,
      },
      { type: "tool-call", toolCallID: "b", toolName: "web_fetch", input: {}, providerExecuted: true },
      {
        type: "tool-result",
        toolCallID: "a",
        output: { output: "found", title: "x", metadata: { hits: 1 } },
      },
      { type: "tool-error", toolCallID: "b", error: "offline" },
      { type: "tool-call", toolCallID: "c", toolName: "web_fetch", input: {}, providerExecuted: true },
    ]
    const bench = new EngineBench({ replies: [step("stop", events)] })
    const { answer } = await bench.ask("Search")
    expect(toolStates(answer)).toMatchObject([
      { status: "completed", input: { q: "x" }, output: "found", title: "x", metadata: { hits: 1 } },
      { status: "error", error: "offline" },
      { status: "error", error: "Tool execution aborted" },
    ])
  })

  it("pass by plugins before and after", async () => {
    const bench = new EngineBench({
      tools: [echo],
      plugins: [
        {
          "tool.execute.before": ({ tool, callID }, output) => {
            output.args = { text: `${tool} ${callID} ${output.args.text}` }
          },
          "tool.execute.after": (_, output) => {
            output.title = "Hooked"
          },
        },
      ],
      replies: [calls("echo", { text: "hi" }), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { input: { text: "hi" }, output: "echo call_1 hi", title: "Hooked" },
    ])
  })

  it("end the run when a person says no, but not when they say what to do instead, or a rule denies", async () => {
    const ruleset = (action: "ask" | "deny") => [{ permission: "push", pattern: "*", action } as const]
    const push = toolOf(
      "push",
      async (_, call) => {
        await call.ask({ permission: "push", patterns: ["main"] })
        return { title: "", output: "pushed" }
      },
      { permission: "other" },
    )
    for (const { action, feedback, outcome } of [
      { action: "ask", outcome: 1 },
      { action: "ask", feedback: "Use a branch", outcome: 2 },
      { action: "deny", outcome: 2 },
    ] as const) {
      const bench = new EngineBench({
        agents: [{ name: "pusher", mode: "primary", permission: ruleset(action) }],
        tools: [push],
        replies: [calls("push", {}), says("Well then")],
      })
      bench.bus.subscribe("permission.asked", ({ properties }) => {
        expect(properties).toMatchObject({ permission: "push", tool: { callID: "call_1" } })
        return bench.permissions.reply(properties.id, "reject", { feedback })
      })
      const { sessionID } = await bench.ask("Push", { agent: "pusher" })
      expect(bench.driver.requests).toHaveLength(outcome)
      expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
        { status: "error", error: expect.stringContaining(feedback ?? "push") },
      ])
    }
  })

  it("wait for people, and a cancelled run withdraws the question", async () => {
    const bench = new EngineBench({
      agents: [{ name: "shy", mode: "primary", permission: [] }],
      tools: [
        toolOf("push", async (_, call) => {
          await call.ask({ permission: "push", patterns: ["main"] })
          return { title: "", output: "pushed" }
        }),
      ],
      replies: [calls("push", {})],
    })
    const { id } = await bench.sessions.create()
    const asked = bench.next("permission.asked")
    const answering = bench.prompt(id, "Push", { agent: "shy" })
    await asked
    expect(bench.permissions.pending(id)).toHaveLength(1)
    bench.engine.cancel(id)
    expect(toolStates(await answering)).toMatchObject([{ status: "error", error: "Tool execution aborted" }])
    expect(bench.permissions.pending(id)).toEqual([])
  })
})
