import { matchesWildcard } from "./wildcard.js"

/**
 * How much of a target the pattern of a rule describes:
 *
 * | | |
 * |---|---|
 * | `all` | the rule decides |
 * | `some` | it decides when it denies or asks, but cannot allow the rest |
 * | `unknown` | the target cannot be parsed: a rule that denies or asks may concern it, so a person decides |
 * | `none` | the rule says nothing about it |
 */
export type Overlap = "all" | "some" | "unknown" | "none"

/** One thing that a permission is asked for, and that rules are matched against. */
export interface PermissionTarget {
  overlap(pattern: string): Overlap
}

/** A text, which a pattern describes as a whole or not at all. */
export function textTarget(text: string): PermissionTarget {
  return { overlap: (pattern) => (matchesWildcard(text, pattern) ? "all" : "none") }
}

/** Whatever the permission can be used for: only the pattern `*` describes it. */
export const anything: PermissionTarget = {
  overlap: (pattern) => (pattern === "*" ? "all" : "unknown"),
}
