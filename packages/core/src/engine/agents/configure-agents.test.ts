import { describe, expect, it } from "vitest"
import { evaluatePermission } from "../../permission/evaluate-permission.js"
import { hiddenTools } from "../../permission/hidden-tools.js"
import { rulesFromConfig } from "../../permission/permission-config.js"
import type { Agent } from "../agent.js"
import { Configuration } from "../config/configuration.js"
import { AgentDefinition } from "./agent-definition.js"
import { Agents } from "./agents.js"
import { builtInAgents } from "./built-in-agents.js"
import { configureAgents } from "./configure-agents.js"

describe("builtInAgents", () => {
  it("are build, plan, general, compaction and title", () => {
    const agents = builtInAgents().map(({ name, mode, hidden = false }) => [name, mode, hidden])
    expect(agents).toEqual([
      ["build", "primary", false],
      ["plan", "primary", false],
      ["general", "subagent", false],
      ["compaction", "primary", true],
      ["title", "primary", true],
    ])
  })

  it.each([
    ["build", "edit", "src/index.ts", "allow"],
    ["build", "bash", "rm -r build", "allow"],
    ["build", "doom_loop", "bash", "ask"],
    ["build", "external_directory", "/etc", "ask"],
    ["build", "read", "src/index.ts", "allow"],
    ["build", "read", "config/.env", "ask"],
    ["build", "read", ".env.local", "ask"],
    ["build", "read", ".env.example", "allow"],
    ["build", "question", "*", "allow"],
    ["build", "plan_exit", "*", "deny"],
    ["plan", "edit", "src/index.ts", "deny"],
    ["plan", "edit", ".opencode/plans/1-a.md", "allow"],
    ["plan", "edit", "/home/dev/acme/.opencode/plans/1-a.md", "allow"],
    ["plan", "edit", ".opencode/plans/1-a.ts", "deny"],
    ["plan", "edit", "/data/plans/1-a.md", "allow"],
    ["plan", "external_directory", "/data/plans/1-a.md", "allow"],
    ["plan", "bash", "ls", "allow"],
    ["plan", "plan_exit", "*", "allow"],
    ["general", "edit", "src/index.ts", "allow"],
    ["general", "todowrite", "*", "deny"],
    ["general", "question", "*", "deny"],
    ["compaction", "read", "src/index.ts", "deny"],
    ["title", "read", "src/index.ts", "deny"],
  ])("%s: %s of %s: %s", (name, permission, pattern, action) => {
    const agent = builtInAgents({ plansFolder: "/data/plans" }).find((agent) => agent.name === name) as Agent
    expect(evaluatePermission(permission, pattern, agent.permission).action).toBe(action)
  })

  it("hide the tools of agents behind the scenes, whatever the user allows", () => {
    const agents = builtInAgents({ rules: rulesFromConfig("allow") })
    const tools = [{ name: "bash" }, { name: "write", permission: "edit" }]
    const shown = agents.filter(({ permission }) => hiddenTools(tools, permission).size === 0)
    expect(shown.map(({ name }) => name)).toEqual(["build", "plan", "general"])
  })
})

describe("configureAgents", () => {
  it("puts the rules of the user after those of the program, and those of an agent last", () => {
    const configuration = Configuration.parse({
      permission: { bash: "ask", webfetch: "deny" },
      agent: { build: { permission: { webfetch: "allow" } }, mine: { permission: { edit: "deny" } } },
    })
    const agents = new Agents({ agents: configureAgents({ configuration }) })
    const decide = (name: string, permission: string) => {
      return evaluatePermission(permission, "x", agents.get(name).permission).action
    }
    expect([decide("build", "bash"), decide("build", "webfetch"), decide("build", "edit")]).toEqual([
      "ask",
      "allow",
      "allow",
    ])
    expect([decide("mine", "bash"), decide("mine", "webfetch"), decide("mine", "edit")]).toEqual([
      "ask",
      "deny",
      "deny",
    ])
  })

  it("alters built-in agents in what is stated, and leaves the rest", () => {
    const configuration = Configuration.parse({ agent: { title: { model: "a/b", prompt: "Short!" } } })
    const [before] = builtInAgents().filter(({ name }) => name === "title")
    const [after] = configureAgents({ configuration, home: "/h" }).filter(({ name }) => name === "title")
    expect(after).toEqual({
      ...before,
      model: { providerID: "a", modelID: "b" },
      prompt: "Short!",
      options: {},
    })
  })

  it("makes new agents for people and for tasks", () => {
    const definitions = { mine: AgentDefinition.parse({ description: "Mine", steps: 4, effort: "low" }) }
    expect(configureAgents({ definitions }).at(-1)).toMatchObject({
      name: "mine",
      mode: "all",
      description: "Mine",
      steps: 4,
      options: { effort: "low" },
    })
  })

  it("puts definitions over configuration", () => {
    const configuration = Configuration.parse({ agent: { mine: { steps: 1, temperature: 1 } } })
    const definitions = { mine: AgentDefinition.parse({ steps: 2 }) }
    expect(configureAgents({ configuration, definitions }).at(-1)).toMatchObject({ steps: 2, temperature: 1 })
  })

  it("takes agents away that are disabled", () => {
    const configuration = Configuration.parse({ agent: { plan: { disable: true }, mine: { disable: true } } })
    const names = configureAgents({ configuration }).map(({ name }) => name)
    expect(names).toEqual(["build", "general", "compaction", "title"])
  })

  it("puts the home folder into patterns", () => {
    const configuration = Configuration.parse({
      permission: { external_directory: { "~/notes/*": "allow" } },
    })
    const [build] = configureAgents({ configuration, home: "/home/dev" })
    const rule = evaluatePermission("external_directory", "/home/dev/notes/a", build?.permission ?? [])
    expect(rule.action).toBe("allow")
  })
})

describe("Agents", () => {
  it("gets agents by name, hidden ones too", () => {
    const agents = new Agents({ agents: builtInAgents() })
    expect(agents.get("plan").name).toBe("plan")
    expect(agents.get("title").name).toBe("title")
  })

  it("names the agents there are when there is none of that name", () => {
    const agents = new Agents({ agents: builtInAgents() })
    expect(() => agents.get("biuld")).toThrow("There is no agent biuld; there are: build, plan, general")
    expect(() => agents.get("constructor")).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
  })

  it("lists what may be chosen, in order", () => {
    const agents = new Agents({ agents: builtInAgents() })
    expect(agents.list().map(({ name }) => name)).toEqual(["build", "plan", "general"])
  })

  it("takes the first agent for people as default, or the one that is named", () => {
    expect(new Agents({ agents: builtInAgents() }).default.name).toBe("build")
    expect(new Agents({ agents: builtInAgents(), default: "plan" }).default.name).toBe("plan")
  })

  it.each(["general", "title", "unknown"])("refuses %s as default", (name) => {
    expect(() => new Agents({ agents: builtInAgents(), default: name })).toThrow(
      expect.objectContaining({
        code: "NOT_FOUND",
        message: expect.stringContaining("there are: build, plan"),
      }),
    )
  })

  it("refuses agents that people cannot talk to", () => {
    expect(() => new Agents({ agents: [] })).toThrow(expect.objectContaining({ code: "NOT_FOUND" }))
  })
})
