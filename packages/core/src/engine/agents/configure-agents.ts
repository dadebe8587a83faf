import type { PermissionRuleset } from "../../model/permission.js"
import { expandHome } from "../../permission/permission-config.js"
import type { Agent } from "../agent.js"
import type { Configuration } from "../config/configuration.js"
import { homeFolder } from "../config/folders.js"
import { builtInAgents, defaultRules } from "./built-in-agents.js"
import { type AgentDefinitions, mergeAgent, mergeAgents } from "./merge-agents.js"

/** What decides about the agents. */
export interface ConfigureAgentsOptions {
  /** Rules for all agents, and definitions of some. */
  readonly configuration?: Partial<Pick<Configuration, "agent" | "permission" | "limits">> | undefined
  /** Further definitions, over those of `configuration`, such as `loadAgents` gives. */
  readonly definitions?: AgentDefinitions | undefined
  /** Where plans are kept outside of repositories. */
  readonly plansFolder?: string | undefined
  /** What `~` in patterns stands for; the home folder of the user when not given. */
  readonly home?: string | undefined
}

/**
 * The agents there are: the built-in ones as they are altered, and those that are defined anew. The rules of an agent
 * are, in this order, those of the program, of the user, and its own.
 *
 * @example
 * ```ts
 * const { configuration, folders } = await loadConfiguration({ directory, worktree })
 * const agents = configureAgents({ configuration, definitions: await loadAgents(folders) })
 * ```
 */
export function configureAgents(options: ConfigureAgentsOptions = {}): Agent[] {
  const { configuration = {}, definitions = {}, plansFolder, home = homeFolder() } = options
  const rules = configuration.permission ?? []
  const agents = new Map(builtInAgents({ rules, plansFolder }).map((agent) => [agent.name, agent]))
  for (const [name, definition] of Object.entries(mergeAgents(configuration.agent ?? {}, definitions))) {
    const { disable, ...stated } = definition
    const base: Agent = agents.get(name) ?? { name, mode: "all", permission: [...defaultRules, ...rules] }
    if (disable) agents.delete(name)
    else agents.set(name, mergeAgent(base, stated))
  }
  return [...agents.values()].map((agent) => completeRules(agent, configuration.limits ?? [], home))
}

function completeRules(agent: Agent, limits: readonly PermissionRuleset[], home: string | undefined): Agent {
  const all = [...limits, ...(agent.limits ?? [])]
  const expand = (rules: PermissionRuleset) => (home === undefined ? rules : expandHome(rules, home))
  return {
    ...agent,
    permission: expand(agent.permission),
    ...(all.length > 0 && { limits: all.map(expand) }),
  }
}
