import { describe, expect, it } from "vitest"
import type { DriverEvent } from "./model-driver.js"
import { EngineBench, echo, Gate, large, toolOf, toolStates } from "./testing/engine-bench.js"
import { calls, type Reply, says, step } from "./testing/scripted-driver.js"

describe("cancel ends a run", () => {
  const drivers: readonly [string, Reply][] = [
    [
      "whose driver gives empty events without a pause",
      async function* () {
        yield { type: "start-step" }
        yield { type: "text-start", id: "a" }
        while (true) yield { type: "text-delta", id: "a", text: "" }
      },
    ],
    [
      "whose driver gives text without a pause",
      async function* () {
        yield { type: "start-step" }
        yield { type: "text-start", id: "a" }
        while (true) yield { type: "text-delta", id: "a", text: "x" }
      },
    ],
    [
      "whose driver never gives anything, and does not look at the signal",
      () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }) }),
    ],
    [
      "whose driver gives one thing for ever, and cannot be ended",
      () => ({
        [Symbol.asyncIterator]: () => ({
          next: async (): Promise<IteratorResult<DriverEvent>> => ({ done: false, value: { type: "start" } }),
          return: () => new Promise<never>(() => undefined),
        }),
      }),
    ],
    [
      "whose driver throws when it is ended",
      () => ({
        [Symbol.asyncIterator]: () => ({
          next: async (): Promise<IteratorResult<DriverEvent>> => ({ done: false, value: { type: "start" } }),
          return: () => {
            throw new Error("no")
          },
        }),
      }),
    ],
  ]

  it.each(drivers)("%s", async (_, reply) => {
    const bench = new EngineBench({ replies: [reply] })
    const { id } = await bench.sessions.create()
    const answering = bench.prompt(id, "Go")
    // A timer, as a person or another program would come in: it fires only if the run lets others have their turn.
    setTimeout(() => bench.engine.cancel(id), 50)
    const answer = await answering
    expect(answer.info).toMatchObject({ error: { name: "MessageAbortedError" } })
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
  })

  it.each(["tool.execute.before", "tool.execute.after", "experimental.text.complete"] as const)(
    "in which a plugin hangs at %s",
    async (hook) => {
      const entered = new Gate()
      const hang = () => {
        entered.open()
        return new Promise<never>(() => undefined)
      }
      const reply = hook === "experimental.text.complete" ? says("Hello") : calls("echo", { text: "x" })
      const bench = new EngineBench({ tools: [echo], plugins: [{ [hook]: hang }], replies: [reply] })
      const { id } = await bench.sessions.create()
      const answering = bench.prompt(id, "Go")
      await entered.opened
      bench.engine.cancel(id)
      const { parts } = await answering
      const open = parts.filter((part) => part.type === "tool" && part.state.status === "running")
      expect(open).toEqual([])
    },
  )

  it("and no tool begins after it", async () => {
    const [entered, released] = [new Gate(), new Gate()]
    const began: string[] = []
    const bench = new EngineBench({
      tools: [
        toolOf("push", async () => {
          began.push("push")
          return { title: "", output: "" }
        }),
      ],
      plugins: [
        {
          "tool.execute.before": () => {
            entered.open()
            return released.opened
          },
        },
      ],
      replies: [calls("push", {})],
    })
    const { id } = await bench.sessions.create()
    const answering = bench.prompt(id, "Go")
    await entered.opened
    bench.engine.cancel(id)
    await answering
    released.open()
    await bench.engine.close()
    await new Promise(setImmediate)
    expect(began).toEqual([])
  })

  it("whose system prompt never comes", async () => {
    const entered = new Gate()
    const systemPrompt = () => {
      entered.open()
      return new Promise<never>(() => undefined)
    }
    const bench = new EngineBench({ systemPrompt, replies: [] })
    const { id } = await bench.sessions.create()
    const answering = bench.prompt(id, "Go")
    await entered.opened
    bench.engine.cancel(id)
    expect((await answering).info).toMatchObject({ error: { name: "MessageAbortedError" } })
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
  })
})

describe("a model that never comes", () => {
  it("for a summary does not keep a run from being cancelled", async () => {
    const entered = new Gate()
    const hang = () => {
      entered.open()
      return new Promise<never>(() => undefined)
    }
    const bench = new EngineBench({
      plugins: [{ "experimental.session.compacting": hang }],
      replies: [says("Hello")],
    })
    const { sessionID } = await bench.ask("Go")
    const compacting = bench.engine.compact(sessionID)
    await entered.opened
    bench.engine.cancel(sessionID)
    await expect(compacting).rejects.toMatchObject({ code: "ABORTED" })
    expect(bench.engine.status(sessionID)).toEqual({ type: "idle" })
  })

  it("for a title does not keep an engine from being closed", async () => {
    const entered = new Gate()
    const get = () => {
      entered.open()
      return new Promise<never>(() => undefined)
    }
    const bench = new EngineBench({ settings: { titles: true }, models: { default: large, get } })
    const { id } = await bench.sessions.create()
    const answering = bench.prompt(id, "Go")
    await entered.opened
    const closed = bench.engine.close()
    expect(bench.runTimers()).toEqual([30_000])
    await closed
    expect((await answering).info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })
})

describe("a run of endless steps", () => {
  const endless = (count: number) =>
    Array.from({ length: count }, (_, index) => calls("echo", { text: `step ${index}` }, `call_${index}`))

  it("ends at the limit, with an error that says so, and the next prompt goes on", async () => {
    const bench = new EngineBench({
      tools: [echo],
      settings: { titles: false, stepLimit: 5 },
      replies: [...endless(5), says("At last")],
    })
    const { sessionID, answer } = await bench.ask("Go")
    expect(bench.driver.requests).toHaveLength(5)
    expect(answer.info).toMatchObject({
      error: { name: "UnknownError", data: { message: expect.stringContaining("after 5 steps") } },
    })
    expect(toolStates(answer)).toMatchObject([{ status: "completed", output: "step 4" }])
    expect(bench.events.filter(({ type }) => type === "session.error")).toHaveLength(1)
    const next = await bench.prompt(sessionID, "Go on")
    expect(next.info).toMatchObject({ finish: "stop" })
  })

  it("ends after 500 steps when nothing else is set", async () => {
    const bench = new EngineBench({ tools: [echo], replies: endless(510) })
    await bench.ask("Go")
    expect(bench.driver.requests).toHaveLength(500)
  }, 120_000)

  it("ends where summaries follow each other for ever", async () => {
    const reply = () => step("tool-calls", { type: "text-start", id: "a" }, { type: "text-end", id: "a" })
    const bench = new EngineBench({
      limit: { context: 2_000, output: 1_000 },
      settings: { titles: false, stepLimit: 6 },
      replies: Array.from({ length: 20 }, reply),
    })
    await bench.ask("Go")
    expect(bench.driver.requests.length).toBeLessThanOrEqual(6)
  })
})
