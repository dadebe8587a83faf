import type { PermissionRule, PermissionRuleset } from "../model/permission.js"
import { matchesWildcard } from "./wildcard.js"

/**
 * The rule that decides whether `permission` may be used for `pattern`: the last that matches both, over all the
 * rulesets one after the other. Where none matches, people are to be asked.
 *
 * @example
 * ```ts
 * evaluatePermission("bash", "rm -r build", agent.permission, session.permission ?? []).action // "ask"
 * ```
 */
export function evaluatePermission(
  permission: string,
  pattern: string,
  ...rulesets: readonly PermissionRuleset[]
): PermissionRule {
  const rule = rulesets
    .flat()
    .findLast(
      (rule) => matchesWildcard(permission, rule.permission) && matchesWildcard(pattern, rule.pattern),
    )
  return rule ?? { permission, pattern: "*", action: "ask" }
}
