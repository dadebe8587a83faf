import { checkOptions } from "../../storage/options.js"
import type { Agent } from "../agent.js"
import { EngineError } from "../engine-error.js"

/** Which agents there are. */
export interface AgentsOptions {
  /** Each by a name of its own. */
  readonly agents: readonly Agent[]
  /** The name of the agent for sessions that name none; the first that people can talk to when not given. */
  readonly default?: string | undefined
}

/** The agents of an engine. */
export class Agents {
  readonly #agents: ReadonlyMap<string, Agent>
  /** The agent for sessions that name none. */
  readonly default: Agent

  /** @throws EngineError `NOT_FOUND` when people cannot talk to the default agent, or to any when none is named */
  constructor(options: AgentsOptions) {
    checkOptions("Agents", options, { agents: "array", default: "string?" })
    this.#agents = new Map(options.agents.map((agent) => [agent.name, agent]))
    const forPeople = this.list().filter(({ mode }) => mode !== "subagent")
    const isDefault = ({ name }: Agent) => options.default === undefined || name === options.default
    const agent = forPeople.find(isDefault)
    if (agent === undefined) throw notFound(options.default ?? "for people", forPeople)
    this.default = agent
  }

  /** @throws EngineError `NOT_FOUND` with the names there are */
  get(name: string): Agent {
    const agent = this.#agents.get(name)
    if (agent === undefined) throw notFound(name, this.list())
    return agent
  }

  /** Those that people and models may choose, in their order. */
  list(): Agent[] {
    return [...this.#agents.values()].filter(({ hidden }) => !hidden)
  }
}

function notFound(name: string, agents: readonly Agent[]): EngineError {
  const names = agents.map((agent) => agent.name).join(", ")
  return new EngineError("NOT_FOUND", `There is no agent ${name}; there are: ${names || "none"}`)
}
