import { describe, expect, it } from "vitest"
import type { PermissionAction } from "../model/permission.js"
import { isDoomLoop } from "./doom-loop.js"
import { EngineBench, echo, textsOf, toolStates } from "./testing/engine-bench.js"
import { callOf, calls, says, step } from "./testing/scripted-driver.js"

const call = (text: string, tool = "echo") => ({ tool, input: { text } })

const ab = { tool: "echo", input: { a: 1, b: [{ c: 1, d: 2 }] } }
const ba = { tool: "echo", input: { b: [{ d: 2, c: 1 }], a: 1 } }
const turns = (texts: readonly string[], times: number) =>
  Array.from({ length: times }, () => texts.map((text) => call(text))).flat()

describe("isDoomLoop", () => {
  it.each([
    ["three equal calls", [call("a"), call("a"), call("a")], true],
    ["three equal calls after others", [call("b"), call("a"), call("a"), call("a")], true],
    ["two equal calls", [call("a"), call("a")], false],
    ["another input", [call("a"), call("b"), call("a")], false],
    ["another tool", [call("a"), call("a", "say"), call("a")], false],
    ["equal calls with their fields in another order", [ab, ba, ab], true],
    ["two calls that take turns three times", turns(["a", "b"], 3), true],
    ["two calls that take turns twice", turns(["a", "b"], 2), false],
    ["three calls that take turns three times", turns(["a", "b", "c"], 3), true],
    ["calls that take turns, one of which changes", [...turns(["a", "b"], 2), call("a"), call("c")], false],
    ["equal calls before another", [call("a"), call("a"), call("a"), call("b")], false],
  ])("%s", (_, made, expected) => {
    expect(isDoomLoop(made)).toBe(expected)
  })
})

describe("a model that goes round in circles", () => {
  const circles = [1, 2, 3].map((number) => calls("echo", { text: "again" }, `call_${number}`))

  function benchWith(action: PermissionAction) {
    return new EngineBench({
      agents: [
        { name: "looper", mode: "primary", permission: [{ permission: "doom_loop", pattern: "*", action }] },
      ],
      tools: [echo],
      replies: [...circles, says("Out")],
    })
  }

  it("is let be where that is allowed", async () => {
    const bench = benchWith("allow")
    const { answer } = await bench.ask("Go", { agent: "looper" })
    expect(textsOf(answer)).toEqual(["Out"])
  })

  it("is stopped where that is denied", async () => {
    const bench = benchWith("deny")
    const { sessionID } = await bench.ask("Go", { agent: "looper" })
    const states = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(states.map(({ status }) => status)).toEqual(["completed", "completed", "error"])
    expect(states[2]).toMatchObject({ error: expect.stringContaining("doom_loop") })
    expect(bench.driver.requests).toHaveLength(3)
  })

  it.each([
    ["once", "completed", 4],
    ["reject", "error", 3],
  ] as const)("is asked about, and the reply %s decides", async (reply, status, requests) => {
    const bench = benchWith("ask")
    const asked: unknown[] = []
    bench.bus.subscribe("permission.asked", ({ properties }) => {
      asked.push(properties)
      return bench.permissions.reply(properties.id, reply)
    })
    const { sessionID } = await bench.ask("Go", { agent: "looper" })
    expect(asked).toMatchObject([
      {
        permission: "doom_loop",
        patterns: ["echo"],
        always: ["echo"],
        metadata: { tool: "echo", input: { text: "again" } },
        tool: { callID: "call_3" },
      },
    ])
    expect((await bench.sessions.messages.load(sessionID)).flatMap(toolStates)[2]).toMatchObject({ status })
    expect(bench.driver.requests).toHaveLength(requests)
  })

  it("is also seen within one step", async () => {
    const bench = new EngineBench({
      agents: [
        {
          name: "strict",
          mode: "primary",
          permission: [{ permission: "doom_loop", pattern: "*", action: "deny" }],
        },
      ],
      tools: [echo],
      replies: [
        step("tool-calls", ...["a", "b", "c"].map((id) => callOf("echo", { text: "same" }, id))),
        says("Out"),
      ],
    })
    const { sessionID } = await bench.ask("Go", { agent: "strict" })
    const states = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(states.map(({ status }) => status)).toEqual(["completed", "completed", "error"])
  })

  it("starts anew with the next question", async () => {
    const bench = new EngineBench({
      tools: [echo],
      replies: [circles[0], circles[1], says("One"), circles[2], says("Two")].map((reply) => reply as never),
    })
    const { sessionID } = await bench.ask("First")
    expect(textsOf(await bench.prompt(sessionID, "Second"))).toEqual(["Two"])
  })
})
