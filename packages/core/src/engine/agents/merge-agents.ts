import type { AgentDefinition } from "./agent-definition.js"

/** Definitions of agents by their names. */
export type AgentDefinitions = Readonly<Record<string, AgentDefinition>>

/** Definitions out of two sets. Those of the same name become one, see {@link mergeAgent}. */
export function mergeAgents(base: AgentDefinitions, over: AgentDefinitions): AgentDefinitions {
  const merged = Object.entries(over).map(([name, definition]): [string, AgentDefinition] => {
    return [
      name,
      Object.hasOwn(base, name) ? mergeAgent(base[name] as AgentDefinition, definition) : definition,
    ]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

/**
 * What `over` states takes the place of what `base` states, field by field; its rules come after those of `base`, so
 * that they decide.
 */
export function mergeAgent<T extends AgentDefinition>(base: T, over: AgentDefinition): T {
  const stated = Object.entries(over).filter(([, value]) => value !== undefined)
  const limits = [...(base.limits ?? []), ...(over.limits ?? [])]
  return {
    ...base,
    ...Object.fromEntries(stated),
    permission: [...(base.permission ?? []), ...(over.permission ?? [])],
    ...(limits.length > 0 && { limits }),
    options: { ...base.options, ...over.options },
  }
}
