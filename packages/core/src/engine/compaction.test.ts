import { describe, expect, it } from "vitest"
import type { AssistantMessage } from "../model/assistant-message.js"
import { COMPACTION_REQUEST, CONTINUATION_REQUEST } from "./prompt/compaction-prompt.js"
import { apiError, EngineBench, echo, textsOf, toolStates, typesOf } from "./testing/engine-bench.js"
import { calls, fails, hangs, says, step, textOf } from "./testing/scripted-driver.js"

/** So small that every answer fills it. */
const full = { context: 2_000, output: 1_000 }

describe("compact", () => {
  it("stores a request and a summary as opencode 1.1.65 does, and shows no more of what came before", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("We counted to one"), says("Two")] })
    const { sessionID } = await bench.ask("Count")
    const summary = await bench.engine.compact(sessionID)
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages[2]).toMatchObject({
      info: { role: "user", agent: "build", model: { modelID: "large" } },
      parts: [{ type: "compaction", auto: false }],
    })
    expect(messages[3]).toEqual(summary)
    expect(summary.info).toMatchObject({
      parentID: messages[2]?.info.id,
      mode: "compaction",
      agent: "compaction",
      summary: true,
      finish: "stop",
    })
    expect(typesOf(summary)).toEqual(["step-start", "text", "step-finish"])
    expect(messages).toHaveLength(4)
    expect(bench.events.some(({ type }) => type === "session.compacted")).toBe(true)
    expect(bench.driver.requests[1]).toMatchObject({ tools: [] })
    expect(bench.driver.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ text: COMPACTION_REQUEST }],
    })

    await bench.prompt(sessionID, "Go on")
    const shown = bench.driver.requests[2]?.messages.filter(({ role }) => role !== "system")
    expect(shown).toMatchObject([
      { role: "user", content: [{ text: "What did we do so far?" }] },
      { role: "assistant", content: [{ text: "We counted to one" }] },
      { role: "user", content: [{ text: "Go on" }] },
    ])
  })

  it("goes on with the work on request", async () => {
    const bench = new EngineBench({ replies: [says("One"), says("Summary"), says("Two")] })
    const { sessionID } = await bench.ask("Count")
    const answer = await bench.engine.compact(sessionID, {
      auto: true,
      model: { providerID: "mock", modelID: "other" },
    })
    expect(textsOf(answer)).toEqual(["Two"])
    expect(bench.driver.requests.map((request) => request.model.modelID)).toEqual(["large", "other", "other"])
    const continuation = (await bench.sessions.messages.load(sessionID)).at(-2)
    expect(continuation?.parts).toMatchObject([{ type: "text", text: CONTINUATION_REQUEST, synthetic: true }])
  })

  it("lets plugins add context or ask something else", async () => {
    const context = new EngineBench({
      plugins: [
        { "experimental.session.compacting": (_, output) => void output.context.push("Mind the tests.") },
      ],
      replies: [says("One"), says("Summary")],
    })
    await context.engine.compact((await context.ask("Count")).sessionID)
    expect(context.driver.requests[1]?.messages.at(-1)).toMatchObject({
      content: [{ text: `${COMPACTION_REQUEST}\n\nMind the tests.` }],
    })
    const prompt = new EngineBench({
      plugins: [
        {
          "experimental.session.compacting": (_, output) => {
            output.prompt = "Sum up."
          },
        },
      ],
      replies: [says("One"), says("Summary")],
    })
    await prompt.engine.compact((await prompt.ask("Count")).sessionID)
    expect(prompt.driver.requests[1]?.messages.at(-1)).toMatchObject({ content: [{ text: "Sum up." }] })
  })

  it("that fails leaves the conversation as it was, and is not tried again unasked", async () => {
    const bench = new EngineBench({ replies: [says("One"), fails(apiError(400)), says("Two")] })
    const { sessionID } = await bench.ask("Count")
    expect((await bench.engine.compact(sessionID)).info).toMatchObject({ error: { name: "APIError" } })
    expect(textsOf(await bench.prompt(sessionID, "Go on"))).toEqual(["Two"])
    const [, , last] = bench.driver.requests
    expect(last?.messages.filter(({ role }) => role !== "system")[0]).toMatchObject({
      content: [{ text: "Count" }],
    })
  })

  it("can be cancelled", async () => {
    const bench = new EngineBench({ replies: [says("One"), hangs({ type: "start-step" })] })
    const { sessionID } = await bench.ask("Count")
    const begun = bench.next("message.part.updated", ({ part }) => part.type === "step-start")
    const compacting = bench.engine.compact(sessionID)
    await begun
    bench.engine.cancel(sessionID)
    expect((await compacting).info).toMatchObject({ summary: true, error: { name: "MessageAbortedError" } })
  })
})

describe("overflow", () => {
  it("sums up by itself when an answer fills the context, and goes on", async () => {
    const bench = new EngineBench({
      limit: full,
      tools: [echo],
      replies: [calls("echo", { text: "hi" }), says("Summary"), fits("All done")],
    })
    const { sessionID, answer } = await bench.ask("Work")
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages.map(({ info, parts }) => [info.role, ...typesOf({ parts })])).toEqual([
      ["user", "text"],
      ["assistant", "step-start", "tool", "step-finish"],
      ["user", "compaction"],
      ["assistant", "step-start", "text", "step-finish"],
      ["user", "text"],
      ["assistant", "step-start", "text", "step-finish"],
    ])
    expect(messages[2]?.parts).toMatchObject([{ auto: true }])
    expect(toolStates(messages[1] as never)).toMatchObject([{ status: "completed" }])
    expect(textsOf(answer)).toEqual(["All done"])
  })

  it("is also seen when a conversation that is full already goes on", async () => {
    const bench = new EngineBench({
      limit: full,
      settings: { titles: false, autoCompaction: false },
      replies: [says("Long")],
    })
    const { sessionID } = await bench.ask("First")
    const later = new EngineBench({
      storage: bench.storage,
      limit: full,
      replies: [says("Summary"), fits("Answer")],
    })
    later.now = bench.now + 10
    expect(textsOf(await later.prompt(sessionID, "Second"))).toEqual(["Answer"])
    const types = (await later.sessions.messages.load(sessionID)).map(typesOf)
    expect(types.map(([first]) => first)).toEqual([
      "text",
      "step-start",
      "text",
      "compaction",
      "step-start",
      "text",
      "step-start",
    ])
  })

  it("is let be when automatic compaction is off, or the size of the context is not known", async () => {
    const off = { titles: false, autoCompaction: false }
    for (const options of [{ limit: full, settings: off }, { limit: { context: 0, output: 0 } }]) {
      const bench = new EngineBench({ ...options, replies: [says("Long"), says("Longer")] })
      const { sessionID } = await bench.ask("First")
      expect(textsOf(await bench.prompt(sessionID, "Second"))).toEqual(["Longer"])
      expect((await bench.sessions.messages.load(sessionID)).flatMap(typesOf)).not.toContain("compaction")
    }
  })
})

describe("pruning", () => {
  const chatter = "x".repeat(200_000)

  it("takes old outputs out of the context after a run", async () => {
    const bench = new EngineBench({ tools: [echo], replies: turns(chatter) })
    const { sessionID } = await bench.ask("One")
    await bench.prompt(sessionID, "Two")
    await bench.prompt(sessionID, "Three")
    await bench.prompt(sessionID, "Four")
    const outputs = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(outputs.map((state) => "compacted" in ((state as { time?: object }).time ?? {}))).toEqual([
      true,
      true,
      false,
      false,
    ])
  })

  it("can be switched off", async () => {
    const settings = { titles: false, prune: false }
    const bench = new EngineBench({ tools: [echo], settings, replies: turns(chatter) })
    const { sessionID } = await bench.ask("One")
    for (const text of ["Two", "Three", "Four"]) await bench.prompt(sessionID, text)
    const outputs = (await bench.sessions.messages.load(sessionID)).flatMap(toolStates)
    expect(JSON.stringify(outputs)).not.toContain("compacted")
  })
})

/** Four turns, each of which calls a tool. */
function turns(text: string) {
  return [1, 2, 3, 4].flatMap((turn) => [
    calls("echo", { text: `${turn}${text}` }, `call_${turn}`),
    says("Yes"),
  ])
}

/** An answer that leaves room in the context. */
function fits(text: string) {
  const usage = { inputTokens: 10, outputTokens: 10 }
  return step("stop", textOf(text)).map((event) =>
    event.type === "finish-step" ? { ...event, usage } : event,
  )
}

it("a summary is told apart from an answer by its mark", async () => {
  const bench = new EngineBench({ limit: full, replies: [says("Long"), says("Summary"), fits("Go")] })
  const { sessionID } = await bench.ask("First")
  const summaries = (await bench.sessions.messages.load(sessionID)).filter(
    ({ info }) => (info as AssistantMessage).summary === true,
  )
  expect(summaries.flatMap(textsOf)).toEqual(["Summary"])
})
