import { describe, expect, it } from "vitest"
import type { MessageWithParts } from "../../session/message-with-parts.js"
import { planReminder } from "./plan-reminder.js"

const plan = { path: ".opencode/plans/1-a.md", exists: true }

describe("planReminder", () => {
  it("tells the planning agent how to plan, and to change nothing", () => {
    const reminder = planReminder({ messages: [user("plan")], agent: "plan" })
    expect(reminder).toMatch(/^<system-reminder>\nYou are planning\. Do not change anything/)
    expect(reminder).not.toContain(".md")
  })

  it("tells the planning agent its file, whether it is there or not", () => {
    const messages = [user("plan")]
    const absent = planReminder({ messages, agent: "plan", plan: { ...plan, exists: false } })
    expect(absent).toContain(`Write the plan to ${plan.path}`)
    expect(planReminder({ messages, agent: "plan", plan })).toContain(`There is a plan in ${plan.path}`)
  })

  it("tells the agent that takes over that it may work, and to carry out a plan that is there", () => {
    const messages = [user("plan"), assistant("plan"), user("build")]
    expect(planReminder({ messages, agent: "build" })).toMatch(/Planning is over/)
    const absent = planReminder({ messages, agent: "build", plan: { ...plan, exists: false } })
    expect(absent).not.toContain(plan.path)
    expect(planReminder({ messages, agent: "build", plan })).toContain(`There is a plan in ${plan.path}`)
  })

  it("stays while the answer takes several steps, and ends with the next question", () => {
    const messages = [user("plan"), assistant("plan"), user("build")]
    const first = planReminder({ messages, agent: "build", plan })
    const later = [...messages, assistant("build")]
    expect(planReminder({ messages: later, agent: "build", plan })).toBe(first)
    expect(planReminder({ messages: [...later, user("build")], agent: "build", plan })).toBeUndefined()
  })

  it("knows the agent of old messages by their mode", () => {
    const messages = [
      user("plan"),
      { info: { ...assistant("plan").info, agent: undefined, mode: "plan" }, parts: [] },
    ]
    const reminder = planReminder({
      messages: [...(messages as MessageWithParts[]), user("build")],
      agent: "build",
    })
    expect(reminder).toMatch(/Planning is over/)
  })

  it("says nothing where nobody plans", () => {
    expect(planReminder({ messages: [], agent: "build" })).toBeUndefined()
    expect(
      planReminder({ messages: [user("build"), assistant("build"), user("build")], agent: "build" }),
    ).toBeUndefined()
  })
})

function user(agent: string): MessageWithParts {
  const model = { providerID: "p", modelID: "m" }
  return {
    info: { id: "msg_1", sessionID: "ses_1", role: "user", time: { created: 1 }, agent, model },
    parts: [],
  }
}

function assistant(agent: string): MessageWithParts {
  const info = {
    id: "msg_2",
    sessionID: "ses_1",
    role: "assistant" as const,
    parentID: "msg_1",
    time: { created: 1 },
    agent,
    mode: agent,
    providerID: "p",
    modelID: "m",
    path: { cwd: "/", root: "/" },
    cost: 0,
    tokens: { input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } },
  }
  return { info, parts: [] }
}
