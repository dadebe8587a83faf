import type { PermissionAction, PermissionRule, PermissionRuleset } from "../model/permission.js"
import { permissionTargets } from "./matching.js"
import type { PermissionTarget } from "./permission-target.js"
import { matchesWildcard } from "./wildcard.js"

/**
 * The rule that decides whether `permission` may be used for `pattern`: the last that matches both, over all the
 * rulesets one after the other. Where none matches, people are to be asked. Commands and paths are matched as
 * `PermissionMatching` describes; of several simple commands the strictest decision counts.
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
  const rules = rulesets.flat()
  const { targets } = permissionTargets(permission, [pattern])
  return strictest(targets.map((target) => evaluateTarget(permission, target, rules)))
}

/** The rule that decides about one target. */
export function evaluateTarget(
  permission: string,
  target: PermissionTarget,
  rules: PermissionRuleset,
): PermissionRule {
  for (const rule of rules.toReversed()) {
    if (!matchesWildcard(permission, rule.permission)) continue
    const overlap = target.overlap(rule.pattern)
    if (overlap === "all" || (overlap === "some" && rule.action !== "allow")) return rule
    if (overlap === "unknown" && rule.action !== "allow") return { ...rule, action: "ask" }
  }
  return { permission, pattern: "*", action: "ask" }
}

const STRICTNESS: Readonly<Record<PermissionAction, number>> = { allow: 0, ask: 1, deny: 2 }

/** Of some decisions the one that allows least; there must be one. */
export function strictest<Decision extends Pick<PermissionRule, "action">>(
  decisions: readonly Decision[],
): Decision {
  return decisions.reduce((strict, each) => {
    return STRICTNESS[each.action] > STRICTNESS[strict.action] ? each : strict
  })
}
