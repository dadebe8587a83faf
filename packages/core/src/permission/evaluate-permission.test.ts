import { describe, expect, it } from "vitest"
import type { PermissionRuleset } from "../model/permission.js"
import { evaluatePermission } from "./evaluate-permission.js"
import { hiddenTools } from "./hidden-tools.js"
import { rulesFromConfig } from "./permission-config.js"
import { subagentRestrictions } from "./subagent-restrictions.js"

const rules: PermissionRuleset = rulesFromConfig({
  "*": "allow",
  bash: { "*": "ask", "git *": "allow", "git push *": "deny" },
  edit: "deny",
})

describe("evaluatePermission", () => {
  it.each([
    ["bash", "ls", "ask"],
    ["bash", "git status", "allow"],
    ["bash", "git push origin", "deny"],
    ["edit", "src/index.ts", "deny"],
    ["webfetch", "https://example.com", "allow"],
  ])("decides about %s of %j by the last rule that matches: %s", (permission, pattern, action) => {
    expect(evaluatePermission(permission, pattern, rules).action).toBe(action)
  })

  it("lets later rulesets decide before earlier ones", () => {
    const session: PermissionRuleset = [{ permission: "edit", pattern: "docs/*", action: "allow" }]
    expect(evaluatePermission("edit", "docs/a.md", rules, session)).toBe(session[0])
    expect(evaluatePermission("edit", "docs/a.md", session, rules).action).toBe("deny")
    expect(evaluatePermission("edit", "src/a.ts", rules, session).action).toBe("deny")
  })

  it("asks where no rule matches", () => {
    const asking = { permission: "bash", pattern: "*", action: "ask" }
    expect(evaluatePermission("bash", "ls")).toEqual(asking)
    expect(evaluatePermission("bash", "ls", rulesFromConfig({ edit: "allow" }))).toEqual(asking)
  })

  it("takes wildcards in the names of permissions", () => {
    const ruleset = rulesFromConfig({ "github_*": "deny" })
    expect(evaluatePermission("github_push", "anything", ruleset).action).toBe("deny")
  })
})

describe("hiddenTools", () => {
  const tools = [{ name: "bash" }, { name: "write", permission: "edit" }, { name: "edit" }, { name: "read" }]

  it("hides tools whose permission the last rule denies for everything", () => {
    expect(hiddenTools(tools, rules)).toEqual(new Set(["write", "edit"]))
    expect(hiddenTools(tools, rulesFromConfig("deny"))).toEqual(new Set(tools.map(({ name }) => name)))
  })

  it("shows tools of which something may be allowed", () => {
    const ruleset = rulesFromConfig({ "*": "deny", read: "allow", edit: { "*": "deny", "*.md": "allow" } })
    expect(hiddenTools(tools, ruleset)).toEqual(new Set(["bash"]))
    expect(hiddenTools(tools, [])).toEqual(new Set())
  })

  it("shows tools that are denied only for some patterns", () => {
    const ruleset = rulesFromConfig({ bash: { "rm *": "deny" } })
    expect(hiddenTools(tools, ruleset)).toEqual(new Set())
  })
})

describe("subagentRestrictions", () => {
  it("keeps subagents from todos and from tasks of their own", () => {
    expect(subagentRestrictions(rulesFromConfig("allow"))).toEqual(
      rulesFromConfig({ todowrite: "deny", todoread: "deny", task: "deny" }),
    )
  })

  it("leaves tasks to rules of the agent that speak of them", () => {
    const denied = subagentRestrictions(
      rulesFromConfig({ "*": "deny", task: { "*": "deny", explore: "allow" } }),
    )
    expect(denied).toEqual(rulesFromConfig({ todowrite: "deny", todoread: "deny" }))
  })
})
