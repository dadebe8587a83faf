import { describe, expect, it } from "vitest"
import { evaluatePermission } from "../../permission/evaluate-permission.js"
import { rulesFromConfig } from "../../permission/permission-config.js"
import { Configuration } from "./configuration.js"
import { mergeConfiguration } from "./merge-configuration.js"

describe("mergeConfiguration", () => {
  it("puts what is stated later in place of what was stated before, field by field", () => {
    const base = {
      model: "a/b",
      compaction: { auto: false, prune: true },
      provider: { x: { url: 1, keep: 2 } },
    }
    const over = { model: "c/d", compaction: { auto: true }, provider: { x: { url: 3 }, y: {} } }
    expect(merge(base, over)).toMatchObject({
      model: { providerID: "c", modelID: "d" },
      compaction: { auto: true, prune: true },
      provider: { x: { url: 3, keep: 2 }, y: {} },
    })
  })

  it("joins plugins and instructions, each once, and replaces other lists", () => {
    const base = { plugin: ["a", "b"], instructions: ["x.md"], other: [1, 2] }
    const over = { plugin: ["b", "c"], instructions: ["y.md"], other: [3] }
    expect(merge(base, over)).toMatchObject({
      plugin: ["a", "b", "c"],
      instructions: ["x.md", "y.md"],
      other: [3],
    })
  })

  it("lets later rules decide, whichever order the fields have", () => {
    const base = { permission: { "*": "allow", bash: { "git *": "allow" } } }
    const { permission } = merge(base, { permission: { "*": "deny" } })
    expect(evaluatePermission("bash", "git status", permission).action).toBe("deny")
    const restricted = merge(
      { permission: { bash: { "rm *": "allow" }, "*": "deny" } },
      { permission: { bash: {} } },
    )
    expect(evaluatePermission("bash", "rm x", restricted.permission).action).toBe("deny")
  })

  it("counts tools that are switched off among the rules of their layer", () => {
    const { permission } = merge({ permission: { edit: "allow" } }, { tools: { write: false, bash: true } })
    expect(permission).toEqual([
      ...rulesFromConfig({ edit: "allow" }),
      ...rulesFromConfig({ edit: "deny", bash: "allow" }),
    ])
  })

  it("merges agents of the same name and keeps the others", () => {
    const base = {
      a: { prompt: "old", steps: 5, x: 1, permission: { bash: "ask" } },
      b: { mode: "subagent" },
    }
    const over = { a: { prompt: "new", y: 2, permission: { edit: "deny" } }, constructor: { steps: 3 } }
    const { agent } = merge({ agent: base }, { agent: over })
    expect(agent.a).toMatchObject({ prompt: "new", steps: 5, options: { x: 1, y: 2 } })
    expect(agent.a?.permission).toEqual(rulesFromConfig({ bash: "ask", edit: "deny" }))
    expect(Object.keys(agent)).toEqual(["a", "b", "constructor"])
  })

  it("alters neither of the two", () => {
    const base = Configuration.parse({ plugin: ["a"], agent: { x: { a: 1 } }, permission: { edit: "ask" } })
    const over = Configuration.parse({ plugin: ["b"], agent: { x: { b: 2 } }, permission: { edit: "deny" } })
    const before = structuredClone([base, over])
    mergeConfiguration(base, over)
    expect([base, over]).toEqual(before)
  })
})

function merge(base: object, over: object): Configuration {
  return mergeConfiguration(Configuration.parse(base), Configuration.parse(over))
}
