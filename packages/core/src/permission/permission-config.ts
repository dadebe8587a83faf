import { z } from "zod"
import { type NewPermissionRule, PermissionAction, type PermissionRule } from "../model/permission.js"
import { escapePattern } from "./wildcard.js"

/**
 * Permissions as people write them in configuration: one action for everything, or for each permission an action, or
 * actions by pattern. The order counts: the last that matches decides.
 *
 * @example
 * ```json
 * { "*": "ask", "bash": { "*": "ask", "git status *": "allow" }, "edit": "deny" }
 * ```
 */
export const PermissionConfig = z.union([
  PermissionAction,
  z.record(z.string(), z.union([PermissionAction, z.record(z.string(), PermissionAction)])),
])
export type PermissionConfig = z.output<typeof PermissionConfig>

/** The rules that a configuration states, in its order. */
export function rulesFromConfig(config: PermissionConfig): NewPermissionRule[] {
  if (typeof config === "string") return [{ permission: "*", pattern: "*", action: config }]
  return Object.entries(config).flatMap(([permission, value]) => {
    if (typeof value === "string") return [{ permission, pattern: "*", action: value }]
    return Object.entries(value).map(([pattern, action]) => ({ permission, pattern, action }))
  })
}

/** The rules that switch tools on and off, as old configurations and prompts state them. */
export function rulesFromTools(tools: Readonly<Record<string, boolean>>): NewPermissionRule[] {
  return Object.entries(tools).map(([tool, isOn]) => {
    return { permission: toolPermission(tool), pattern: "*", action: isOn ? "allow" : "deny" }
  })
}

/** The rules with `home`, which has no wildcards, in place of `~` or `$HOME` at the start of patterns. */
export function expandHome<Rule extends PermissionRule>(rules: readonly Rule[], home: string): Rule[] {
  return rules.map((rule) => {
    return { ...rule, pattern: rule.pattern.replace(/^(~|\$HOME)(?=$|[/\\])/, () => escapePattern(home)) }
  })
}

/** All tools that change files share a permission. */
const EDIT_TOOLS: readonly string[] = ["edit", "write", "patch", "multiedit"]

function toolPermission(tool: string): string {
  return EDIT_TOOLS.includes(tool) ? "edit" : tool
}
