import { describe, expect, it } from "vitest"
import type { AssistantMessage } from "../model/assistant-message.js"
import { EngineBench, Gate, small } from "./testing/engine-bench.js"
import { fails, hangs, says } from "./testing/scripted-driver.js"

const settings = { titles: true }

describe("titles", () => {
  it("are made by the small model from the first question, and do not touch the session", async () => {
    const bench = new EngineBench({ settings, replies: [says("Because")] })
    bench.smallDriver.add(says("The login"))
    const { sessionID } = await bench.ask("Why does the login fail?")
    const { time } = await bench.sessions.get(sessionID)
    bench.now += 10
    await bench.engine.close()
    const session = await bench.sessions.get(sessionID)
    expect(session.title).toBe("The login")
    expect(session.time.updated).toBe(time.updated)
    expect(bench.smallDriver.requests).toMatchObject([{ model: small, tools: [] }])
    expect(bench.smallDriver.requests[0]?.messages.at(-1)).toMatchObject({
      role: "user",
      content: [{ text: "Why does the login fail?" }],
    })
  })

  it("are given to every question too, told from itself alone", async () => {
    const bench = new EngineBench({ settings, replies: [says("Because"), says("So")] })
    bench.smallDriver.add(says("The login"), says("The logout"))
    const { sessionID } = await bench.ask("Why does the login fail?")
    await bench.prompt(sessionID, "And the logout?")
    await bench.engine.close()
    expect(await questionTitles(bench, sessionID)).toEqual(["The login", "The logout"])
    expect((await bench.sessions.get(sessionID)).title).toBe("The login")
    expect(bench.smallDriver.requests[1]?.messages.slice(2)).toMatchObject([
      { role: "user", content: [{ text: "And the logout?" }] },
    ])
  })

  it("of questions that are gone are dropped", async () => {
    const bench = new EngineBench({ settings, replies: [says("Because")] })
    const gate = new Gate()
    bench.smallDriver.add(async function* () {
      await gate.opened
      yield* says("The login")
    })
    const { sessionID, answer } = await bench.ask("Why?")
    const { parentID: id = "" } = answer.info as AssistantMessage
    await bench.sessions.messages.remove({ sessionID, id })
    gate.open()
    await bench.engine.close()
    expect(bench.events.map(({ type }) => type)).not.toContain("session.error")
  })

  it("do not hold up the answer", async () => {
    const bench = new EngineBench({ settings, replies: [says("Because")] })
    bench.smallDriver.add(hangs())
    const { sessionID } = await bench.ask("Why?")
    expect(bench.engine.status(sessionID)).toEqual({ type: "idle" })
    expect(bench.runTimers()).toContain(30_000)
    await bench.engine.close()
    expect((await bench.sessions.get(sessionID)).title).toMatch(/^New session - /)
  })

  it.each([
    ["<think>Let me\nsee</think>\n\n  A title  \nand more", "A title"],
    ["x".repeat(150), `${"x".repeat(97)}...`],
  ])("are one line of at most 100 characters, without thoughts", async (text, title) => {
    const bench = new EngineBench({ settings, replies: [says("Because")] })
    bench.smallDriver.add(says(text))
    const { sessionID } = await bench.ask("Why?")
    await bench.engine.close()
    expect((await bench.sessions.get(sessionID)).title).toBe(title)
  })

  it("are told from the prompts of subtasks where there is nothing else", async () => {
    const bench = new EngineBench({ settings, replies: [says("Looked"), says("Clear")] })
    bench.smallDriver.add(says("A look"))
    await bench.ask("", {
      parts: [{ type: "subtask", prompt: "Look well", description: "look", agent: "general" }],
    })
    await bench.engine.close()
    expect(bench.smallDriver.requests[0]?.messages.at(-1)).toMatchObject({ content: [{ text: "Look well" }] })
  })

  it("that people gave, and those of children, stay", async () => {
    const bench = new EngineBench({ settings, replies: [says("One"), says("Two")] })
    const { id } = await bench.sessions.create({ title: "Mine" })
    const { id: child } = await bench.sessions.create({ parentID: id })
    bench.smallDriver.add(says("A wonder"), says("Another"))
    await bench.prompt(id, "Well?")
    await bench.prompt(child, "Well?")
    await bench.engine.close()
    expect((await bench.sessions.get(id)).title).toBe("Mine")
    expect((await bench.sessions.get(child)).title).toMatch(/^Child session - /)
    expect(await questionTitles(bench, child)).toEqual(["Another"])
  })

  it("that fail are left for good, and the answer is not touched", async () => {
    const bench = new EngineBench({ settings, replies: [says("One"), says("Two")] })
    bench.smallDriver.add(fails(new Error("No network")), says("The second"))
    const { sessionID, answer } = await bench.ask("First")
    await bench.prompt(sessionID, "Second")
    await bench.engine.close()
    expect(answer.info).not.toHaveProperty("error")
    expect(await questionTitles(bench, sessionID)).toEqual([undefined, "The second"])
    expect((await bench.sessions.get(sessionID)).title).toMatch(/^New session - /)
    expect(bench.events.map(({ type }) => type)).not.toContain("session.error")
  })

  it("can be switched off", async () => {
    const bench = new EngineBench({ settings: { titles: false }, replies: [says("One")] })
    await bench.ask("First")
    expect(bench.smallDriver.requests).toEqual([])
  })
})

async function questionTitles(bench: EngineBench, sessionID: string): Promise<(string | undefined)[]> {
  const messages = await bench.sessions.history(sessionID)
  return messages.flatMap(({ info }) => (info.role === "user" ? [info.summary?.title] : []))
}
