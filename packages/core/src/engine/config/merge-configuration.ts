import { mergeAgents } from "../agents/merge-agents.js"
import type { Configuration } from "./configuration.js"

/**
 * One configuration out of two. What `over` states takes the place of what `base` states, field by field; lists of
 * plugins and instructions are joined, and rules of `over` come after those of `base`, so that they decide.
 */
export function mergeConfiguration(base: Configuration, over: Configuration): Configuration {
  return {
    ...mergeFields(base, over),
    permission: [...base.permission, ...over.permission],
    limits: [...base.limits, ...over.limits],
    agent: mergeAgents(base.agent, over.agent),
    plugin: join(base.plugin, over.plugin),
    instructions: join(base.instructions, over.instructions),
  }
}

function join(base: readonly string[], over: readonly string[]): string[] {
  return [...new Set([...base, ...over])]
}

function mergeFields<T extends object>(base: T, over: T): T {
  const merged = Object.entries(over).map(([name, value]) => {
    const before = Object.hasOwn(base, name) ? (base as Record<string, unknown>)[name] : undefined
    return [name, isObject(before) && isObject(value) ? mergeFields(before, value) : value]
  })
  return { ...base, ...Object.fromEntries(merged) }
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value)
}
