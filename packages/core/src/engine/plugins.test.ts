import { describe, expect, it } from "vitest"
import { EventBus } from "../event/event-bus.js"
import { Permissions } from "../permission/permissions.js"
import { Plugins } from "./plugins.js"

describe("trigger", () => {
  it("lets the plugins alter the output one after the other, and gives it back", async () => {
    const plugins = new Plugins([
      {
        "experimental.chat.system.transform": async (_, output) => {
          await new Promise(setImmediate)
          output.system.push("first")
        },
      },
      {},
      {
        "experimental.chat.system.transform": ({ sessionID }, output) => {
          output.system = [...output.system, `second, ${sessionID}`]
        },
      },
    ])
    const output = { system: ["ours"] }
    const input = { sessionID: "ses_1" }
    expect(await plugins.trigger("experimental.chat.system.transform", input, output)).toBe(output)
    expect(output.system).toEqual(["ours", "first", "second, ses_1"])
  })

  it("runs no hook of another name", async () => {
    const plugins = new Plugins([
      {
        "experimental.text.complete": (_, output) => {
          output.text = "altered"
        },
      },
    ])
    const output = { status: "ask" as const }
    const input = { sessionID: "ses_1", permission: "bash", patterns: [], ruleset: [] }
    expect(await plugins.trigger("permission.ask", input, output)).toEqual({ status: "ask" })
  })

  it("passes on what a hook throws, and asks no plugin after it", async () => {
    const asked: string[] = []
    const failing = () => {
      asked.push("failing")
      throw new Error("broken plugin")
    }
    const plugins = new Plugins([
      { "experimental.session.compacting": failing },
      { "experimental.session.compacting": () => void asked.push("next") },
    ])
    const triggering = plugins.trigger(
      "experimental.session.compacting",
      { sessionID: "ses_1" },
      { context: [] },
    )
    await expect(triggering).rejects.toThrow("broken plugin")
    expect(asked).toEqual(["failing"])
  })

  it("calls hooks on their plugin", async () => {
    const counter = {
      count: 0,
      "experimental.session.compacting"() {
        this.count++
      },
    }
    await new Plugins([counter]).trigger(
      "experimental.session.compacting",
      { sessionID: "ses_1" },
      { context: [] },
    )
    expect(counter.count).toBe(1)
  })

  it("decides permissions", async () => {
    const plugins = new Plugins([
      {
        "permission.ask": ({ patterns }, output) => {
          output.status = patterns.includes("ls") ? "allow" : "deny"
        },
      },
    ])
    const permissions = new Permissions({ bus: new EventBus(), plugins })
    const ask = { sessionID: "ses_1", permission: "bash", ruleset: [] }
    await expect(permissions.ask({ ...ask, patterns: ["ls"] })).resolves.toBeUndefined()
    await expect(permissions.ask({ ...ask, patterns: ["rm x"] })).rejects.toMatchObject({ code: "DENIED" })
  })
})
