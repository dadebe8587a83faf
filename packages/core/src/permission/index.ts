export { evaluatePermission } from "./evaluate-permission.js"
export { hiddenTools } from "./hidden-tools.js"
export type { PermissionMatching } from "./matching.js"
export { leadsInside } from "./path-target.js"
export type { PermissionAsk, PermissionQuestion } from "./permission-ask.js"
export { expandHome, PermissionConfig, rulesFromConfig, rulesFromTools } from "./permission-config.js"
export { PermissionError, type PermissionErrorCode } from "./permission-error.js"
export {
  type PermissionPlugins,
  Permissions,
  type PermissionsOptions,
  type ReplyOptions,
} from "./permissions.js"
export { subagentRestrictions } from "./subagent-restrictions.js"
export { escapePattern, matchesWildcard } from "./wildcard.js"
