import { describe, expect, it } from "vitest"
import { z } from "zod"
import type { DriverEvent } from "./model-driver.js"
import { EngineBench, echo, textsOf, toolOf, toolStates } from "./testing/engine-bench.js"
import { callOf, calls, fails, says, step } from "./testing/scripted-driver.js"
import type { ToolOutput } from "./tool.js"

const anything = { input: z.looseObject({}) }

describe("a tool that gives metadata which is no JSON", () => {
  const circle: Record<string, unknown> = {}
  circle.self = circle
  const deep = nested(5_000)

  it.each<[string, unknown]>([
    ["a date", { at: new Date(0) }],
    ["NaN", { count: Number.NaN }],
    ["a map", { map: new Map([["a", 1]]) }],
    ["a big integer", { size: 1n }],
    ["itself", circle],
    ["5,000 levels", { deep }],
    [
      "a getter that throws",
      {
        get odd() {
          throw new Error("no")
        },
      },
    ],
    ["a map instead of an object", new Map([["a", 1]])],
  ])("keeps its output: %s", async (_, metadata) => {
    const state = await stateOf(async () => ({ title: "", output: "kept", metadata }) as ToolOutput)
    expect(state).toMatchObject({ status: "completed", output: "kept" })
  })

  it("keeps its output when it reports such metadata, or a plugin adds some", async () => {
    const bench = new EngineBench({
      tools: [
        toolOf("odd", async (_, call) => {
          await call.report({ metadata: { at: new Date(0), size: 1n } })
          return { title: "", output: "kept" }
        }),
      ],
      plugins: [
        {
          "tool.execute.after": (_, output) => {
            output.metadata = { at: new Date(0) }
          },
        },
      ],
      replies: [calls("odd", {}), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { status: "completed", output: "kept", metadata: { at: "1970-01-01T00:00:00.000Z" } },
    ])
  })
})

describe("a tool that throws", () => {
  const refuse = () => {
    throw new Error("no")
  }

  it.each<[string, unknown]>([
    ["an object without a prototype", Object.create(null)],
    ["nothing", undefined],
    ["a symbol", Symbol("x")],
    ["an object whose text throws", { toString: refuse }],
    ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: refuse })],
    ["a proxy that refuses everything", new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
  ])("%s has failed, and the conversation goes on", async (_, thrown) => {
    const state = await stateOf(async () => {
      throw thrown
    })
    expect(state).toMatchObject({ status: "error", error: expect.any(String) })
  })

  it.each<[string, unknown]>([
    ["an object without a prototype", Object.create(null)],
    ["nothing", undefined],
    ["an error whose message throws", Object.defineProperty(new Error("x"), "message", { get: refuse })],
    ["a proxy that refuses everything", new Proxy({}, { get: refuse, has: refuse, getPrototypeOf: refuse })],
  ])("is like a driver that throws %s: the error is stored", async (_, thrown) => {
    const bench = new EngineBench({ replies: [fails(thrown, { type: "start-step" })] })
    const { answer } = await bench.ask("Go")
    expect(answer.info).toMatchObject({
      error: { name: "UnknownError", data: { message: expect.any(String) } },
    })
  })
})

it("an output of 50 MB is stored", async () => {
  const output = "x".repeat(50 * 1024 * 1024)
  const state = await stateOf(async () => ({ title: "", output }))
  expect(state?.status).toBe("completed")
  expect((state as { output: string }).output.length).toBe(output.length)
}, 60_000)

describe("the input of a call", () => {
  it("that is nested deeply is an error of that call, and the others go on", async () => {
    const deep = { text: nested(100_000) }
    const events: DriverEvent[] = [{ type: "tool-call", toolCallID: "deep", toolName: "echo", input: deep }]
    const bench = new EngineBench({
      tools: [echo],
      replies: [step("tool-calls", events, callOf("echo", { text: "fine" }, "other")), says("Done")],
    })
    const { sessionID, answer } = await bench.ask("Go")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { status: "error", input: {}, error: expect.stringContaining("nested too deeply") },
      { status: "completed", output: "fine" },
    ])
    expect(textsOf(answer)).toEqual(["Done"])
  })

  it("that is no JSON is stored as such", async () => {
    const input = { at: new Date(0), size: 1n }
    const events: DriverEvent[] = [{ type: "tool-call", toolCallID: "a", toolName: "odd", input }]
    const bench = new EngineBench({
      tools: [toolOf("odd", async () => ({ title: "", output: "ok" }), anything)],
      replies: [step("tool-calls", events), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)).toMatchObject([
      { status: "completed", input: { at: "1970-01-01T00:00:00.000Z", size: "1" } },
    ])
  })
})

describe("calls with the same id", () => {
  it.each([
    ["announced", (text: string) => callOf("echo", { text }, "same")],
    [
      "not announced",
      (text: string): DriverEvent[] => [
        { type: "tool-call", toolCallID: "same", toolName: "echo", input: { text } },
      ],
    ],
  ])("each have a part and a result of their own when they are %s", async (_, call) => {
    const bench = new EngineBench({
      tools: [echo],
      replies: [step("tool-calls", call("one"), call("two"), call("three")), says("Done")],
    })
    const { sessionID } = await bench.ask("Go")
    const parts = (await bench.sessions.messages.load(sessionID)).flatMap((message) =>
      message.parts.flatMap((part) => (part.type === "tool" ? [part] : [])),
    )
    expect(parts.map(({ callID }) => callID)).toEqual(["same", "same-2", "same-3"])
    expect(parts.map(({ state }) => state)).toMatchObject([
      { status: "completed", output: "one" },
      { status: "completed", output: "two" },
      { status: "completed", output: "three" },
    ])
    const results = bench.driver.requests[1]?.messages.flatMap(({ role, content }) => {
      return role === "tool" ? content.map(({ toolCallId }) => toolCallId) : []
    })
    expect(results).toEqual(["same", "same-2", "same-3"])
  })

  it("that the provider runs get their results in order", async () => {
    const call = {
      type: "tool-call",
      toolCallID: "a",
      toolName: "search",
      input: {},
      providerExecuted: true,
    } as const
    const bench = new EngineBench({
      replies: [
        step(
          "stop",
          call,
          call,
          { type: "tool-result", toolCallID: "a", output: { output: "first" } },
          { type: "tool-result", toolCallID: "a", output: { output: "second" } },
        ),
      ],
    })
    const { answer } = await bench.ask("Search")
    expect(toolStates(answer)).toMatchObject([{ output: "first" }, { output: "second" }])
  })
})

it("a result of the provider that is no text is stored as one", async () => {
  const output = { output: { hits: 1n }, metadata: { at: new Date(0) } } as never
  const bench = new EngineBench({
    replies: [
      step(
        "stop",
        { type: "tool-call", toolCallID: "a", toolName: "search", input: {}, providerExecuted: true },
        { type: "tool-result", toolCallID: "a", output },
      ),
    ],
  })
  const { answer } = await bench.ask("Search")
  expect(toolStates(answer)).toMatchObject([{ status: "completed", output: '{"hits":"1"}' }])
})

/** How a call of a tool that does this ends. */
async function stateOf(execute: () => Promise<ToolOutput>) {
  const bench = new EngineBench({
    tools: [toolOf("odd", execute)],
    replies: [calls("odd", {}), says("Done")],
  })
  const { sessionID, answer } = await bench.ask("Go")
  expect(textsOf(answer)).toEqual(["Done"])
  return (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)[0]
}

/** Arrays in arrays. */
function nested(levels: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < levels; level++) value = [value]
  return value
}
