import type { NewPermissionRule, PermissionRuleset } from "../model/permission.js"

/**
 * The rules for the session in which a subagent does its task. The todos are those of whoever gave the task, and
 * tasks are not passed on, unless rules of the agent speak of `task` themselves.
 *
 * @param ruleset the rules of the agent
 */
export function subagentRestrictions(ruleset: PermissionRuleset): NewPermissionRule[] {
  const restricted = ["todowrite", "todoread"]
  if (!ruleset.some(({ permission }) => permission === "task")) restricted.push("task")
  return restricted.map((permission) => ({ permission, pattern: "*", action: "deny" }))
}
