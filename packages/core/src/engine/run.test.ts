import { describe, expect, it } from "vitest"
import { EngineError } from "./engine-error.js"
import { apiError, EngineBench, Gate, textsOf, toolOf } from "./testing/engine-bench.js"
import { calls, hangs, says, step, textOf } from "./testing/scripted-driver.js"

describe("one run per session", () => {
  it("tells when it is busy and when it is idle again", async () => {
    const bench = new EngineBench({ replies: [says("Yes")] })
    const { id } = await bench.sessions.create()
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
    const busy = bench.next("session.status")
    const answering = bench.prompt(id, "Well?")
    await busy
    expect(bench.engine.status(id)).toEqual({ type: "busy" })
    await answering
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
    expect(bench.statuses).toEqual(["busy", "idle"])
    expect(bench.events.at(-1)).toEqual({ type: "session.idle", properties: { sessionID: id } })
  })

  it("answers what is asked meanwhile, in the same run", async () => {
    const gate = new Gate()
    const bench = new EngineBench({
      replies: [
        async function* () {
          yield* step("stop", textOf("First answer")).slice(0, 3)
          await gate.opened
          yield* step("stop", textOf("First answer")).slice(3)
        },
        says("Second answer"),
      ],
    })
    const { id } = await bench.sessions.create()
    const growing = bench.next("message.part.updated", ({ part }) => part.type === "text" && part.text === "")
    const first = bench.prompt(id, "First")
    await growing
    const stored = bench.next("message.updated", ({ info }) => info.role === "user")
    const second = bench.prompt(id, "Second")
    await stored
    gate.open()

    const [one, two] = await Promise.all([first, second])
    expect(textsOf(one)).toEqual(["Second answer"])
    expect(two).toEqual(one)
    const messages = await bench.sessions.messages.load(id)
    expect(messages.flatMap(textsOf)).toEqual(["First", "First answer", "Second", "Second answer"])
    expect(bench.statuses).toEqual(["busy", "idle"])
  })

  it("answers every one of many questions that are asked at once", async () => {
    const bench = new EngineBench({ replies: Array.from({ length: 20 }, () => says("Yes")) })
    const { id } = await bench.sessions.create()
    const answers = await Promise.all(Array.from({ length: 20 }, (_, index) => bench.prompt(id, `${index}?`)))
    const messages = await bench.sessions.messages.load(id)
    const last = messages.findLast(({ info }) => info.role === "user")
    expect(messages.filter(({ info }) => info.role === "user")).toHaveLength(20)
    expect(messages.at(-1)?.info).toMatchObject({ role: "assistant", parentID: last?.info.id })
    expect(answers.every(({ info }) => info.role === "assistant")).toBe(true)
  })

  it("answers a question that is asked as soon as a session is idle", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("Two")] })
    const second = bench.next("session.idle").then(({ sessionID }) => bench.prompt(sessionID, "Second"))
    await bench.ask("First")
    expect(textsOf(await second)).toEqual(["Two"])
  })

  it("shows the model what was said while it worked, framed as such", async () => {
    const bench: EngineBench = new EngineBench({
      tools: [
        toolOf("interrupt", async (_, { sessionID }) => {
          void bench.prompt(sessionID, "And hurry!")
          await bench.next("message.updated", ({ info }) => info.role === "user")
          return { title: "", output: "ok" }
        }),
      ],
      replies: [calls("interrupt", {}), says("Hurrying")],
    })
    await bench.ask("Work")
    const shown = bench.driver.requests[1]?.messages ?? []
    const texts = shown.flatMap(({ role, content }) => (role === "user" ? content : []))
    expect(texts[0]).toEqual({ type: "text", text: "Work" })
    expect(texts[1]).toMatchObject({ text: expect.stringContaining("<system-reminder>") })
    expect(texts[1]).toMatchObject({ text: expect.stringContaining("And hurry!") })
  })

  it("still answers a question that was queued behind one that failed", async () => {
    const bench: EngineBench = new EngineBench({
      replies: [
        async function* (request) {
          void bench.prompt(request.sessionID, "Second")
          await bench.next("message.updated", ({ info }) => info.role === "user")
          yield { type: "error", error: apiError(400) }
        },
        says("Second answer"),
      ],
    })
    const { answer } = await bench.ask("First")
    expect(textsOf(answer)).toEqual(["Second answer"])
  })

  it("refuses with BUSY what cannot wait", async () => {
    const bench = new EngineBench({ replies: [hangs()] })
    const { id } = await bench.sessions.create()
    const busy = bench.next("session.status")
    const answering = bench.prompt(id, "Well?")
    await busy
    expect(() => bench.engine.assertIdle(id)).toThrow(EngineError)
    await expect(bench.engine.compact(id)).rejects.toMatchObject({ code: "BUSY" })
    bench.engine.cancel(id)
    await answering
    expect(() => bench.engine.assertIdle(id)).not.toThrow()
  })
})

describe("cancel", () => {
  it("ends the answer as it is, with what was said so far", async () => {
    const bench = new EngineBench({
      replies: [hangs(...step("stop", textOf("Once upon a time")).slice(0, 5))],
    })
    const { id } = await bench.sessions.create()
    const spoken = bench.next("message.part.updated", ({ delta }) => delta === "upon ")
    const answering = bench.prompt(id, "A story")
    await spoken
    bench.engine.cancel(id)
    const answer = await answering
    expect(answer.info).toMatchObject({
      error: { name: "MessageAbortedError" },
      time: { completed: bench.now + 1 },
    })
    expect(answer.info).not.toHaveProperty("finish")
    expect(answer.parts).toMatchObject([
      { type: "step-start" },
      { type: "text", text: "Once upon", time: { end: bench.now } },
    ])
    expect(bench.statuses).toEqual(["busy", "idle"])
  })

  it("ends an answer whose driver does not listen", async () => {
    const bench = new EngineBench({
      replies: [
        async function* () {
          yield { type: "start" }
          await new Promise(() => undefined)
        },
      ],
    })
    const { id } = await bench.sessions.create()
    const begun = bench.next("message.updated", ({ info }) => info.role === "assistant")
    const answering = bench.prompt(id, "Well?")
    await begun
    bench.engine.cancel(id)
    expect((await answering).info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })

  it("ends tools, whether they listen or not, and those become aborted", async () => {
    const bench = new EngineBench({
      tools: [
        toolOf("deaf", () => new Promise(() => undefined)),
        toolOf("careful", (_, { signal }) => {
          return new Promise((_, reject) =>
            signal.addEventListener("abort", () => reject(new Error("Cleaned up"))),
          )
        }),
      ],
      replies: [
        step("tool-calls", [
          { type: "tool-call", toolCallID: "a", toolName: "deaf", input: {} },
          { type: "tool-call", toolCallID: "b", toolName: "careful", input: {} },
          { type: "tool-input-start", id: "c", toolName: "deaf" },
        ]),
      ],
    })
    const { id } = await bench.sessions.create()
    const pending = bench.next(
      "message.part.updated",
      ({ part }) => part.type === "tool" && part.callID === "c",
    )
    const answering = bench.prompt(id, "Work")
    await pending
    bench.engine.cancel(id)
    const answer = await answering
    const aborted = { status: "error", error: "Tool execution aborted", time: { end: bench.now } }
    expect(answer.parts.slice(1)).toMatchObject([{ state: aborted }, { state: aborted }, { state: aborted }])
    expect(answer.info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })

  it("rejects questions whose answer was not begun with ABORTED, and a later question is answered", async () => {
    const bench = new EngineBench({ replies: [hangs({ type: "start" }), says("Here I am")] })
    const { id } = await bench.sessions.create()
    const begun = bench.next("message.updated", ({ info }) => info.role === "assistant")
    const first = bench.prompt(id, "First")
    await begun
    const stored = bench.next("session.updated")
    bench.now++
    const second = bench.prompt(id, "Second")
    const refused = expect(second).rejects.toMatchObject({ code: "ABORTED" })
    await stored
    bench.engine.cancel(id)
    await first
    await refused
    bench.now++
    expect(textsOf(await bench.prompt(id, "Third"))).toEqual(["Here I am"])
  })

  it("of a session that nobody works on does nothing", () => {
    const bench = new EngineBench()
    expect(() => bench.engine.cancel("ses_none")).not.toThrow()
  })
})

describe("close", () => {
  it("ends all runs and takes no further questions", async () => {
    const bench = new EngineBench({ replies: [hangs({ type: "start" })] })
    const { id } = await bench.sessions.create()
    const begun = bench.next("message.updated", ({ info }) => info.role === "assistant")
    const answering = bench.prompt(id, "Well?")
    await begun
    await bench.engine.close()
    expect(bench.engine.status(id)).toEqual({ type: "idle" })
    expect((await answering).info).toMatchObject({ error: { name: "MessageAbortedError" } })
    await expect(bench.prompt(id, "Still there?")).rejects.toMatchObject({ code: "CLOSED" })
    await expect(bench.engine.resume(id)).rejects.toMatchObject({ code: "CLOSED" })
  })
})
