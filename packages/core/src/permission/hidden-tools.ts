import type { PermissionRuleset } from "../model/permission.js"
import { matchesWildcard } from "./wildcard.js"

/**
 * The names of the tools that a model need not know of, because no call of them can be allowed: the last rule that
 * speaks of their permission denies it for `*`.
 *
 * @param tools each with the permission by which rules speak of it; its name when not given
 */
export function hiddenTools(
  tools: readonly { readonly name: string; readonly permission?: string | undefined }[],
  ruleset: PermissionRuleset,
): Set<string> {
  const hidden = tools.filter(({ name, permission = name }) => {
    const rule = ruleset.findLast((rule) => matchesWildcard(permission, rule.permission))
    return rule?.pattern === "*" && rule.action === "deny"
  })
  return new Set(hidden.map(({ name }) => name))
}
