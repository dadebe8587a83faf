import { describe, expect, it } from "vitest"
import { expandHome, PermissionConfig, rulesFromConfig, rulesFromTools } from "./permission-config.js"

describe("rulesFromConfig", () => {
  it("takes one action for everything", () => {
    expect(rulesFromConfig("ask")).toEqual([{ permission: "*", pattern: "*", action: "ask" }])
  })

  it("keeps the order in which rules are written", () => {
    const config = PermissionConfig.parse({
      edit: "deny",
      "*": "ask",
      bash: { "rm *": "deny", "*": "allow" },
    })
    expect(rulesFromConfig(config)).toEqual([
      { permission: "edit", pattern: "*", action: "deny" },
      { permission: "*", pattern: "*", action: "ask" },
      { permission: "bash", pattern: "rm *", action: "deny" },
      { permission: "bash", pattern: "*", action: "allow" },
    ])
  })
})

describe("expandHome", () => {
  it("puts the home folder in place of ~ and $HOME at the start of patterns", () => {
    expect(expanded(["~/a/*", "$HOME/b", "~"], "/home/$& dev")).toEqual([
      "/home/$& dev/a/*",
      "/home/$& dev/b",
      "/home/$& dev",
    ])
  })

  it("leaves other patterns alone", () => {
    const others = ["x/~/$HOME", "~other/a", "$HOMELESS"]
    expect(expanded(others, "/home/dev")).toEqual(others)
  })
})

describe("rulesFromTools", () => {
  it("speaks of all tools that change files as edit", () => {
    expect(rulesFromTools({ write: false, patch: false, bash: true })).toEqual([
      { permission: "edit", pattern: "*", action: "deny" },
      { permission: "edit", pattern: "*", action: "deny" },
      { permission: "bash", pattern: "*", action: "allow" },
    ])
  })
})

function expanded(patterns: readonly string[], home: string): string[] {
  const rules = patterns.map((pattern) => ({ permission: "edit", pattern, action: "allow" as const }))
  return expandHome(rules, home).map(({ pattern }) => pattern)
}
