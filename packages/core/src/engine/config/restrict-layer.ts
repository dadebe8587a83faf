import { isAbsolute, win32 } from "node:path"
import type { PermissionRuleset } from "../../model/permission.js"
import { rulesFromConfig } from "../../permission/permission-config.js"
import type { AgentDefinition } from "../agents/agent-definition.js"
import { isObject } from "../is-object.js"
import type { CheckedText } from "./check-text.js"
import type { Configuration } from "./configuration.js"
import { IGNORED, type IgnoredSetting } from "./ignored-setting.js"

/** A configuration without what only a trusted folder may set, and what that was. */
export interface RestrictedLayer {
  readonly configuration: Configuration
  readonly ignored: readonly IgnoredSetting[]
}

/** Settings that neither run anything, nor send anything anywhere, nor take a safeguard away. */
const HARMLESS = [
  "$schema",
  "model",
  "small_model",
  "agent",
  "permission",
  "tools",
  "instructions",
  "compaction",
]

/** What a folder that is not trusted may set: its rules narrow those of the user, and its paths stay inside. */
export function restrictLayer({ source, value }: CheckedText, configuration: Configuration): RestrictedLayer {
  const stated = Object.keys(isObject(value) ? value : {})
  const isHarmless = (name: string) =>
    HARMLESS.includes(name) || (name === "share" && configuration.share === "disabled")
  const others = stated.filter((name) => !isHarmless(name))
  const { permission, agent } = configuration
  const outside = configuration.instructions.filter(leadsElsewhere)
  const kept = Object.entries(configuration).filter(([name]) => !others.includes(name))
  const ignored = [
    ...others.map((setting) => ({ source, setting, reason: IGNORED.setting })),
    ...(widens(permission) ? [{ source, setting: "permission", reason: IGNORED.rules }] : []),
    ...Object.entries(agent)
      .filter(([, definition]) => widens(definition.permission ?? []))
      .map(([name]) => ({ source, setting: `agent.${name}.permission`, reason: IGNORED.rules })),
    ...outside.map((path) => ({ source, setting: `instructions: ${path}`, reason: IGNORED.outside })),
  ]
  return {
    configuration: {
      ...(Object.fromEntries(kept) as Configuration),
      plugin: [],
      permission: [],
      limits: limitsOf(permission),
      agent: Object.fromEntries(
        Object.entries(agent).map(([name, definition]) => [name, restrictDefinition(definition)]),
      ),
      instructions: configuration.instructions.filter((path) => !leadsElsewhere(path)),
    },
    ignored,
  }
}

/** A definition whose rules narrow those that the agent would have without it. */
export function restrictDefinition(definition: AgentDefinition): AgentDefinition {
  const { permission = [], limits = [] } = definition
  return { ...definition, permission: [], limits: [...limits, ...limitsOf(permission)] }
}

/** Whether rules, as rules of the user, could allow something. */
export function widens(rules: PermissionRuleset): boolean {
  return rules.some(({ action }) => action !== "deny")
}

function limitsOf(rules: PermissionRuleset): PermissionRuleset[] {
  return rules.length === 0 ? [] : [[...rulesFromConfig("allow"), ...rules]]
}

function leadsElsewhere(path: string): boolean {
  return (
    isAbsolute(path) || win32.isAbsolute(path) || path.startsWith("~") || path.split(/[\\/]/).includes("..")
  )
}
