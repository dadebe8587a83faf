import { describe, expect, it } from "vitest"
import type { Message } from "../model/message.js"
import type { Part } from "../model/part.js"
import type { Session } from "../model/session.js"
import type { MessageWithParts } from "../session/message-with-parts.js"
import { copyStore } from "../session/testing/store.js"
import type { DriverEvent, ModelRequest } from "./model-driver.js"
import { CrashingStorage, storageOf } from "./testing/crashing-storage.js"
import { EngineBench, textsOf, toolOf, toolStates } from "./testing/engine-bench.js"
import { calls, fails, hangs, says, step, textOf } from "./testing/scripted-driver.js"

describe("resume", () => {
  it("answers the conversation that opencode 1.1.65 leaves unanswered because its ids wrapped", async () => {
    const sessionID = "ses_00002a876ffeK9w2x6HfnEOwMf"
    const bench = new EngineBench({
      storage: await copyStore("v1.1.65-id-wrap"),
      project: { id: "a08918a10ff26f65d55fc0bead5534907d8df481", worktree: "/home/dev/code/acme" },
      replies: [says("After the wrap")],
    })
    const answer = await bench.engine.resume(sessionID)
    expect(answer?.info).toMatchObject({ parentID: "msg_000008c17001Zhp5Lo28tPqKYu", finish: "stop" })
    const messages = await bench.sessions.messages.load(sessionID)
    expect(messages).toHaveLength(7)
    expect(messages.at(-1)).toEqual(answer)
    expect(bench.driver.requests[0]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: [{ text: expect.stringContaining("after the wrap") }],
    })
    bench.driver.add(says("And once more"))
    expect(textsOf(await bench.prompt(sessionID, "Still there?"))).toEqual(["And once more"])
  })

  it("asks nobody when everything is answered", async () => {
    const bench = new EngineBench({ replies: [says("Yes")] })
    const { sessionID, answer } = await bench.ask("Well?")
    expect(await bench.engine.resume(sessionID)).toEqual(answer)
    expect(bench.driver.requests).toHaveLength(1)
  })

  it("gives nothing for a session in which nothing was asked", async () => {
    const bench = new EngineBench()
    const { id } = await bench.sessions.create()
    expect(await bench.engine.resume(id)).toBeUndefined()
  })

  it("joins a run that is at work", async () => {
    const bench = new EngineBench({ replies: [hangs({ type: "start-step" })] })
    const { id } = await bench.sessions.create()
    const begun = bench.next("message.part.updated", ({ part }) => part.type === "step-start")
    const answering = bench.prompt(id, "Well?")
    await begun
    const resumed = bench.engine.resume(id)
    bench.engine.cancel(id)
    expect(await resumed).toEqual(await answering)
    expect(bench.driver.requests).toHaveLength(1)
  })

  it("completes what was left open, and notes tools as interrupted", async () => {
    const left = await leftBehind(
      hangs(
        { type: "start-step" },
        { type: "text-start", id: "t" },
        { type: "tool-input-start", id: "a", toolName: "wait" },
        { type: "tool-call", toolCallID: "b", toolName: "wait", input: {} },
      ),
      (answer) => answer.parts.length === 4 && toolStates(answer)[1]?.status === "running",
    )
    const bench = new EngineBench({ storage: left.storage, replies: [says("Going on")] })
    bench.now += 60_000
    expect(textsOf((await bench.engine.resume(left.sessionID)) as MessageWithParts)).toEqual(["Going on"])
    const [, interrupted] = await bench.sessions.messages.load(left.sessionID)
    expect(interrupted?.info).toMatchObject({
      error: { name: "MessageAbortedError" },
      time: { completed: bench.now },
    })
    expect(interrupted?.parts.slice(1)).toMatchObject([
      { type: "text", time: { end: bench.now } },
      { state: { status: "error", error: "Tool execution was interrupted" } },
      { state: { status: "error", error: "Tool execution was interrupted", time: { end: bench.now } } },
    ])
  })

  it("is done by the next question too", async () => {
    const left = await leftBehind(hangs(...textOf("Half a")), ({ parts }) => parts.length === 1)
    const bench = new EngineBench({ storage: left.storage, replies: [says("Whole")] })
    bench.now += 60_000
    await bench.prompt(left.sessionID, "Again")
    const [, interrupted] = await bench.sessions.messages.load(left.sessionID)
    expect(interrupted?.info).toMatchObject({ error: { name: "MessageAbortedError" } })
  })

  it("completes the sessions of subagents as well", async () => {
    const task = { description: "look", prompt: "Look", subagent_type: "general" }
    const left = await leftBehind(calls("task", task), isTaskUnderWay, hangs({ type: "start-step" }))
    const bench = new EngineBench({ storage: left.storage, replies: [says("On my own then")] })
    await bench.engine.resume(left.sessionID)
    const [child] = await bench.sessions.children(left.sessionID)
    const messages = await bench.sessions.messages.load(child?.id as string)
    expect(messages.at(-1)?.info).toMatchObject({ role: "assistant", error: { name: "MessageAbortedError" } })
  })

  it("makes a summary anew that was not finished", async () => {
    const storage = new CrashingStorage()
    const first = new EngineBench({ storage, replies: [says("One"), hangs({ type: "start-step" })] })
    const { sessionID } = await first.ask("Count")
    const begun = first.next("message.part.updated", ({ part }) => part.type === "step-start")
    void first.engine.compact(sessionID)
    await begun
    const bench = new EngineBench({
      storage: await storageOf(await storage.records()),
      replies: [says("We counted")],
    })
    const summary = await bench.engine.resume(sessionID)
    await first.engine.close()
    expect(summary?.info).toMatchObject({ summary: true, finish: "stop" })
    expect(await bench.sessions.messages.load(sessionID)).toHaveLength(4)
  })

  it("asks again after an answer that failed", async () => {
    const bench = new EngineBench({ replies: [fails(new Error("No network")), says("Back")] })
    const { sessionID } = await bench.ask("Well?")
    expect(textsOf((await bench.engine.resume(sessionID)) as MessageWithParts)).toEqual(["Back"])
  })
})

describe("a process that ends at any point of a run", () => {
  it("leaves a session that goes on: nothing dangles, nothing that was done is done again", async () => {
    const storage = new CrashingStorage()
    const first = new EngineBench({ storage, tools: [counting().tool], replies: Array(4).fill(reacting) })
    const subtask = { type: "subtask", prompt: "Look", description: "look", agent: "general" } as const
    await first.ask("", { parts: [{ type: "text", text: "Work" }, subtask] })
    expect(storage.leftovers.length).toBeGreaterThan(20)

    for (const records of storage.leftovers) {
      const before = [...records.values()] as Part[]
      const sessionID = rootOf(records)
      const hasQuestion = [...records.values()].some((record) => (record as Message).role === "user")
      const { tool, runs } = counting()
      const bench = new EngineBench({
        storage: await storageOf(records),
        tools: [tool],
        replies: Array(8).fill(reacting),
      })
      bench.now += 60_000
      const answer = await bench.engine.resume(sessionID)
      if (!hasQuestion) continue
      expect(answer?.info).toMatchObject({ finish: "stop" })

      const messages = await bench.sessions.messages.load(sessionID)
      for (const { info } of messages) {
        if (info.role === "assistant") expect(info.time.completed).toBeDefined()
      }
      expect(messages.flatMap(toolStates).map(({ status }) => status)).not.toContain("running")
      expect(messages.flatMap(toolStates).map(({ status }) => status)).not.toContain("pending")
      const subtasks = messages.flatMap(({ parts }) =>
        parts.filter((part) => part.type === "tool" && part.tool === "task"),
      )
      expect(subtasks).toHaveLength(1)
      const wasCalled = before.some((part) => part.type === "tool" && part.tool === "count")
      expect(runs.count).toBe(wasCalled ? 0 : 1)
    }
  })
})

/** A model that calls a tool once, whatever became of it, and then ends. */
async function* reacting({ messages, tools }: ModelRequest): AsyncGenerator<DriverEvent, void, void> {
  const isCalled = messages.some(({ role, content }) => {
    return (
      role === "assistant" &&
      content.some((piece) => piece.type === "tool-call" && piece.toolName === "count")
    )
  })
  const isSubagent = !tools.some(({ name }) => name === "task")
  yield* isCalled || isSubagent
    ? says("Done")
    : step("tool-calls", textOf("I will count"), calls("count", {}).slice(2, 6))
}

function rootOf(records: ReadonlyMap<string, unknown>): string {
  const sessions = [...records].filter(([key]) => key.startsWith('["session",')).map(([, session]) => session)
  return (sessions as Session[]).find(({ parentID }) => parentID === undefined)?.id as string
}

function counting() {
  const runs = { count: 0 }
  const tool = toolOf("count", async () => {
    runs.count++
    return { title: "", output: "counted" }
  })
  return { tool, runs }
}

/** What a process leaves behind that ends as soon as an answer is like that. */
async function leftBehind(
  reply: Parameters<EngineBench["driver"]["add"]>[0],
  isLikeThat: (answer: MessageWithParts, bench: EngineBench) => boolean,
  ...others: Parameters<EngineBench["driver"]["add"]>
) {
  const storage = new CrashingStorage()
  const tools = [toolOf("wait", () => new Promise(() => undefined))]
  const bench = new EngineBench({ storage, tools, replies: [reply, ...others] })
  const { id: sessionID } = await bench.sessions.create()
  const answering = bench.prompt(sessionID, "Go")
  while (true) {
    await bench.next("message.part.updated")
    const answer = (await bench.sessions.messages.load(sessionID)).at(-1) as MessageWithParts
    if (answer.info.role === "assistant" && isLikeThat(answer, bench)) break
  }
  const left = await storageOf(await storage.records())
  bench.engine.cancel(sessionID)
  await answering
  await bench.engine.close()
  return { sessionID, storage: left }
}

function isTaskUnderWay({ info }: MessageWithParts, { events }: EngineBench): boolean {
  return events.some(({ type, properties }) => {
    if (type !== "message.part.updated") return false
    return properties.part.type === "step-start" && properties.part.sessionID !== info.sessionID
  })
}
