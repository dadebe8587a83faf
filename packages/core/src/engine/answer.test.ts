import { describe, expect, it } from "vitest"
import { DriverError } from "./driver-error.js"
import { apiError, EngineBench, Gate, textsOf, toolOf, toolStates, typesOf } from "./testing/engine-bench.js"
import { callOf, fails, says, step, textOf } from "./testing/scripted-driver.js"

describe("a request that fails for good", () => {
  it("is stored as opencode 1.1.65 does, and ends the run", async () => {
    const bench = new EngineBench({ replies: [fails(apiError(401)), says("Never said")] })
    const { sessionID, answer } = await bench.ask("FAIL401")
    expect(answer.info).toMatchObject({
      error: { name: "APIError", data: { message: "Status 401", statusCode: 401, isRetryable: false } },
      cost: 0,
      tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
      time: { completed: bench.now + 1 },
    })
    expect(answer.info).not.toHaveProperty("finish")
    expect(answer.parts).toEqual([])
    expect(bench.driver.left).toBe(1)
    expect(bench.events.find(({ type }) => type === "session.error")?.properties).toMatchObject({
      sessionID,
      error: { name: "APIError" },
    })
  })

  it("keeps what was said before, and ends tools that are at work", async () => {
    const tools = [toolOf("waits", () => new Promise(() => undefined))]
    const events = [{ type: "start-step" } as const, ...textOf("One moment. "), ...callOf("waits", {})]
    const bench = new EngineBench({ tools, replies: [fails(apiError(400), ...events)] })
    const { answer } = await bench.ask("Go")
    expect(typesOf(answer)).toEqual(["step-start", "text", "tool"])
    expect(toolStates(answer)).toMatchObject([{ status: "error", error: "Tool execution aborted" }])
    expect(answer.info).toMatchObject({ error: { name: "APIError" } })
  })

  it("is left out when the next question is asked", async () => {
    const bench = new EngineBench({ replies: [fails(apiError(400), ...textOf("Hm")), says("Fine")] })
    const { sessionID } = await bench.ask("First")
    await bench.prompt(sessionID, "Second")
    expect(bench.driver.requests[1]?.messages).toMatchObject([
      { role: "user", content: [{ text: "First" }] },
      { role: "user", content: [{ text: "Second" }] },
    ])
  })
})

describe("a request that may succeed later", () => {
  it("is made again after the time that the server asks for, and the retry is noted", async () => {
    const bench = new EngineBench({
      replies: [fails(apiError(429, { "retry-after": "3" })), fails(apiError(500)), says("There")],
    })
    const { id } = await bench.sessions.create()
    const retry = () => bench.next("session.status", ({ status }) => status.type === "retry")
    let waiting = retry()
    const answering = bench.prompt(id, "Well?")
    expect((await waiting).status).toEqual({
      type: "retry",
      attempt: 1,
      message: "Status 429",
      next: bench.now + 3000,
    })
    expect(bench.engine.status(id)).toMatchObject({ type: "retry", attempt: 1 })
    bench.now += 3000
    waiting = retry()
    expect(bench.runTimers()).toEqual([3000])
    expect((await waiting).status).toMatchObject({ attempt: 2, next: bench.now + 4000 })
    expect(bench.runTimers()).toEqual([4000])

    const answer = await answering
    expect(answer.parts).toMatchObject([
      { type: "retry", attempt: 1, error: { name: "APIError", data: { statusCode: 429 } } },
      { type: "retry", attempt: 2, error: { name: "APIError", data: { statusCode: 500 } } },
      { type: "step-start" },
      { type: "text", text: "There" },
      { type: "step-finish" },
    ])
    expect(answer.info).toMatchObject({ finish: "stop" })
    expect(answer.info).not.toHaveProperty("error")
    expect(bench.statuses).toEqual(["busy", "retry", "busy", "retry", "busy", "idle"])
  })

  it("takes back what was said before it failed", async () => {
    const bench = new EngineBench({
      replies: [fails(apiError(503), { type: "start-step" }, ...textOf("Half a")), says("Half a sentence")],
    })
    const answer = await askThroughRetry(bench)
    expect(typesOf(answer)).toEqual(["retry", "step-start", "text", "step-finish"])
    expect(bench.events.filter(({ type }) => type === "message.part.removed")).toHaveLength(2)
  })

  it("is also one that breaks off without an end", async () => {
    const bench = new EngineBench({ replies: [step("stop", textOf("Half")).slice(0, 3), says("Whole")] })
    const answer = await askThroughRetry(bench)
    expect(textsOf(answer)).toEqual(["Whole"])
    expect(answer.parts[0]).toMatchObject({ error: { data: { isRetryable: true } } })
  })

  it("is not repeated after tools were called: the next step goes on with what they gave", async () => {
    const gate = new Gate()
    let runs = 0
    const work = toolOf("work", async () => {
      runs++
      await gate.opened
      return { title: "", output: "worked" }
    })
    const bench = new EngineBench({
      tools: [work],
      replies: [
        async function* () {
          yield { type: "start-step" }
          yield* callOf("work", {})
          queueMicrotask(gate.open)
          throw apiError(503)
        },
        says("Done"),
      ],
    })
    const answer = await askThroughRetry(bench)
    expect(textsOf(answer)).toEqual(["Done"])
    expect(runs).toBe(1)
    const [, first] = await bench.sessions.messages.load(answer.info.sessionID)
    expect(first?.info).toMatchObject({ finish: "unknown" })
    expect(first && typesOf(first)).toEqual(["step-start", "tool", "retry"])
    expect(bench.driver.requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: [{ output: { value: "worked" } }],
    })
  })

  it("is given up at once when the run is cancelled", async () => {
    const bench = new EngineBench({ replies: [fails(new DriverError("api", "Busy", { statusCode: 529 }))] })
    const { id } = await bench.sessions.create()
    const waiting = bench.next("session.status", ({ status }) => status.type === "retry")
    const answering = bench.prompt(id, "Well?")
    await waiting
    bench.engine.cancel(id)
    const answer = await answering
    expect(answer.info).toMatchObject({ error: { name: "MessageAbortedError" } })
    expect(typesOf(answer)).toEqual(["retry"])
    expect(bench.timers).toEqual([])
  })
})

/** Asks something, and lets the first retry happen. */
async function askThroughRetry(bench: EngineBench) {
  const waiting = bench.next("session.status", ({ status }) => status.type === "retry")
  const asking = bench.ask("Well?")
  await waiting
  bench.runTimers()
  return (await asking).answer
}
